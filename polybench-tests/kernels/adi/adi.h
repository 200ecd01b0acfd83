/* adi.h: the sizes and the element type of adi. */
#ifndef ADI_H
#define ADI_H

#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(MEDIUM_DATASET) \
  && !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
# define LARGE_DATASET
#endif

#if !defined(TSTEPS) && !defined(N)
# ifdef MINI_DATASET
#  define TSTEPS 20
#  define N 20
# endif
# ifdef SMALL_DATASET
#  define TSTEPS 40
#  define N 60
# endif
# ifdef MEDIUM_DATASET
#  define TSTEPS 100
#  define N 200
# endif
# ifdef LARGE_DATASET
#  define TSTEPS 500
#  define N 1000
# endif
# ifdef EXTRALARGE_DATASET
#  define TSTEPS 1000
#  define N 2000
# endif
#endif

#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS,tsteps)
#define _PB_N POLYBENCH_LOOP_BOUND(N,n)

#if !defined(DATA_TYPE_IS_INT) && !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
# define DATA_TYPE_IS_DOUBLE
#endif
#include <polybench_types.h>

#endif
