/* 3mm.h: the sizes and the element type of 3mm. */
#ifndef KERNEL_3MM_H
#define KERNEL_3MM_H

#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(MEDIUM_DATASET) \
  && !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
# define LARGE_DATASET
#endif

#if !defined(NI) && !defined(NJ) && !defined(NK) && !defined(NL) && !defined(NM)
# ifdef MINI_DATASET
#  define NI 16
#  define NJ 18
#  define NK 20
#  define NL 22
#  define NM 24
# endif
# ifdef SMALL_DATASET
#  define NI 40
#  define NJ 50
#  define NK 60
#  define NL 70
#  define NM 80
# endif
# ifdef MEDIUM_DATASET
#  define NI 180
#  define NJ 190
#  define NK 200
#  define NL 210
#  define NM 220
# endif
# ifdef LARGE_DATASET
#  define NI 800
#  define NJ 900
#  define NK 1000
#  define NL 1100
#  define NM 1200
# endif
# ifdef EXTRALARGE_DATASET
#  define NI 1600
#  define NJ 1800
#  define NK 2000
#  define NL 2200
#  define NM 2400
# endif
#endif

#define _PB_NI POLYBENCH_LOOP_BOUND(NI,ni)
#define _PB_NJ POLYBENCH_LOOP_BOUND(NJ,nj)
#define _PB_NK POLYBENCH_LOOP_BOUND(NK,nk)
#define _PB_NL POLYBENCH_LOOP_BOUND(NL,nl)
#define _PB_NM POLYBENCH_LOOP_BOUND(NM,nm)

#if !defined(DATA_TYPE_IS_INT) && !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
# define DATA_TYPE_IS_DOUBLE
#endif
#include <polybench_types.h>

#endif
