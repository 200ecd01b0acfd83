/* deriche.h: the sizes and the element type of deriche. */
#ifndef DERICHE_H
#define DERICHE_H

#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(MEDIUM_DATASET) \
  && !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
# define LARGE_DATASET
#endif

#if !defined(W) && !defined(H)
# ifdef MINI_DATASET
#  define W 64
#  define H 64
# endif
# ifdef SMALL_DATASET
#  define W 192
#  define H 128
# endif
# ifdef MEDIUM_DATASET
#  define W 720
#  define H 480
# endif
# ifdef LARGE_DATASET
#  define W 4096
#  define H 2160
# endif
# ifdef EXTRALARGE_DATASET
#  define W 7680
#  define H 4320
# endif
#endif

#define _PB_W POLYBENCH_LOOP_BOUND(W,w)
#define _PB_H POLYBENCH_LOOP_BOUND(H,h)

#if !defined(DATA_TYPE_IS_INT) && !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
# define DATA_TYPE_IS_FLOAT
#endif
#include <polybench_types.h>

#endif
