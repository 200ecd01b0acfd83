/* gesummv.h: the sizes and the element type of gesummv. */
#ifndef GESUMMV_H
#define GESUMMV_H

#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(MEDIUM_DATASET) \
  && !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
# define LARGE_DATASET
#endif

#if !defined(N)
# ifdef MINI_DATASET
#  define N 30
# endif
# ifdef SMALL_DATASET
#  define N 90
# endif
# ifdef MEDIUM_DATASET
#  define N 250
# endif
# ifdef LARGE_DATASET
#  define N 1300
# endif
# ifdef EXTRALARGE_DATASET
#  define N 2800
# endif
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N,n)

#if !defined(DATA_TYPE_IS_INT) && !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
# define DATA_TYPE_IS_DOUBLE
#endif
#include <polybench_types.h>

#endif
