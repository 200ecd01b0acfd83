/* floyd-warshall.h: the sizes and the element type of floyd-warshall. */
#ifndef FLOYD_WARSHALL_H
#define FLOYD_WARSHALL_H

#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(MEDIUM_DATASET) \
  && !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
# define LARGE_DATASET
#endif

#if !defined(N)
# ifdef MINI_DATASET
#  define N 60
# endif
# ifdef SMALL_DATASET
#  define N 180
# endif
# ifdef MEDIUM_DATASET
#  define N 500
# endif
# ifdef LARGE_DATASET
#  define N 2800
# endif
# ifdef EXTRALARGE_DATASET
#  define N 5600
# endif
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N,n)

#if !defined(DATA_TYPE_IS_INT) && !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
# define DATA_TYPE_IS_INT
#endif
#include <polybench_types.h>

#endif
