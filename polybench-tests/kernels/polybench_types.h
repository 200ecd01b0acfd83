/* polybench_types.h: DATA_TYPE and what goes with it. A kernel's header chooses DATA_TYPE_IS_INT, _FLOAT or _DOUBLE. */
#ifndef POLYBENCH_TYPES_H
#define POLYBENCH_TYPES_H

#ifdef DATA_TYPE_IS_INT
# define DATA_TYPE int
# define DATA_PRINTF_MODIFIER "%d "
# define SCALAR_VAL(x) x
#endif

#ifdef DATA_TYPE_IS_FLOAT
# define DATA_TYPE float
# define DATA_PRINTF_MODIFIER "%a "
# define SCALAR_VAL(x) x##f
# define SQRT_FUN(x) sqrtf(x)
# define EXP_FUN(x) expf(x)
# define POW_FUN(x, y) powf(x, y)
# define FABS_FUN(x) fabsf(x)
#endif

#ifdef DATA_TYPE_IS_DOUBLE
# define DATA_TYPE double
# define DATA_PRINTF_MODIFIER "%a "
# define SCALAR_VAL(x) x
# define SQRT_FUN(x) sqrt(x)
# define EXP_FUN(x) exp(x)
# define POW_FUN(x, y) pow(x, y)
# define FABS_FUN(x) fabs(x)
#endif

#endif
