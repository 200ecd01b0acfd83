/* atax.h: the sizes and the element type of atax. */
#ifndef ATAX_H
#define ATAX_H

#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(MEDIUM_DATASET) \
  && !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
# define LARGE_DATASET
#endif

#if !defined(M) && !defined(N)
# ifdef MINI_DATASET
#  define M 38
#  define N 42
# endif
# ifdef SMALL_DATASET
#  define M 116
#  define N 124
# endif
# ifdef MEDIUM_DATASET
#  define M 390
#  define N 410
# endif
# ifdef LARGE_DATASET
#  define M 1900
#  define N 2100
# endif
# ifdef EXTRALARGE_DATASET
#  define M 1800
#  define N 2200
# endif
#endif

#define _PB_M POLYBENCH_LOOP_BOUND(M,m)
#define _PB_N POLYBENCH_LOOP_BOUND(N,n)

#if !defined(DATA_TYPE_IS_INT) && !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
# define DATA_TYPE_IS_DOUBLE
#endif
#include <polybench_types.h>

#endif
