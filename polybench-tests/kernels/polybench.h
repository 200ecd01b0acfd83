/* polybench.h: the macros and small helpers that the thirty kernels share.
 *
 * The names and their meaning are those of PolyBench/C 4.2.1; the text is Loopwright's own, and nothing has to be linked:
 * a kernel is compiled by naming its single C file:
 *
 *   cc -O2 -ffp-contract=off -DMINI_DATASET -I kernels -I kernels/gemm kernels/gemm/gemm.c -lm
 *
 * Switches (-D):
 *   MINI_DATASET .. EXTRALARGE_DATASET  sizes; LARGE_DATASET when none is given
 *   POLYBENCH_DUMP_ARRAYS               print every array that the region writes, bit for bit ("%a"), on stderr
 *   POLYBENCH_TIME                      print the seconds that the kernel took, on stdout
 *   POLYBENCH_USE_RESTRICT              array parameters are declared restrict
 *   POLYBENCH_USE_C99_PROTO             array parameters have the run-time extents n, m, .. instead of N, M, ..
 *   POLYBENCH_USE_SCALAR_LB             loop bounds are the constants N, M, .. instead of the parameters n, m, ..
 *   POLYBENCH_HARNESS                   arrays come from polybench_harness_array (src/harness/driver.c)
 */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include <stdio.h>
#include <stdlib.h>

/* Loop bounds: _PB_N is POLYBENCH_LOOP_BOUND(N,n). */
#ifdef POLYBENCH_USE_SCALAR_LB
# define POLYBENCH_LOOP_BOUND(constant, parameter) constant
#else
# define POLYBENCH_LOOP_BOUND(constant, parameter) parameter
#endif

/* Array parameters: POLYBENCH_2D(A,N,M,n,m) declares A[N][M]. */
#ifdef POLYBENCH_USE_C99_PROTO
# define POLYBENCH_C99_SELECT(constant, parameter) parameter
#else
# define POLYBENCH_C99_SELECT(constant, parameter) constant
#endif
#ifdef POLYBENCH_USE_RESTRICT
# define POLYBENCH_RESTRICT restrict
#else
# define POLYBENCH_RESTRICT
#endif
#define POLYBENCH_1D(var, d1, e1) \
  var[POLYBENCH_RESTRICT POLYBENCH_C99_SELECT(d1, e1)]
#define POLYBENCH_2D(var, d1, d2, e1, e2) \
  var[POLYBENCH_RESTRICT POLYBENCH_C99_SELECT(d1, e1)][POLYBENCH_C99_SELECT(d2, e2)]
#define POLYBENCH_3D(var, d1, d2, d3, e1, e2, e3) \
  var[POLYBENCH_RESTRICT POLYBENCH_C99_SELECT(d1, e1)][POLYBENCH_C99_SELECT(d2, e2)][POLYBENCH_C99_SELECT(d3, e3)]

/* Allocation: the variable is a pointer to the whole array, POLYBENCH_ARRAY(var) is the array itself. */
#define POLYBENCH_ARRAY(var) *var

#ifdef POLYBENCH_HARNESS
void *polybench_harness_array(const char *name, char kind, size_t element, int rank, const size_t *extents);
# define POLYBENCH_KIND(type) _Generic((type) 0, double: 'd', float: 'f', int: 'i', default: 'x')
# define POLYBENCH_ALLOC(var, type, rank, ...) \
    polybench_harness_array(#var, POLYBENCH_KIND(type), sizeof(type), rank, (const size_t[]) { __VA_ARGS__ })
# define POLYBENCH_FREE_ARRAY(var) ((void) 0)
#else
# define POLYBENCH_ALLOC(var, type, rank, ...) polybench_alloc_data(sizeof(*(var)))
# define POLYBENCH_FREE_ARRAY(var) free((void *) (var))
#endif

static inline void *polybench_alloc_data(size_t bytes)
{
  void *block = calloc(bytes, 1);
  if (block == NULL)
    {
      fprintf(stderr, "polybench: no memory for %lu bytes\n", (unsigned long) bytes);
      exit(1);
    }
  return block;
}

#define POLYBENCH_1D_ARRAY_DECL(var, type, d1, e1) \
  type (*var)[d1]; \
  var = POLYBENCH_ALLOC(var, type, 1, d1)
#define POLYBENCH_2D_ARRAY_DECL(var, type, d1, d2, e1, e2) \
  type (*var)[d1][d2]; \
  var = POLYBENCH_ALLOC(var, type, 2, d1, d2)
#define POLYBENCH_3D_ARRAY_DECL(var, type, d1, d2, d3, e1, e2, e3) \
  type (*var)[d1][d2][d3]; \
  var = POLYBENCH_ALLOC(var, type, 3, d1, d2, d3)

/* Initial data: an avalanche of the array's number and the element's index, so that all elements differ. */
static inline unsigned long long polybench_hash(unsigned int array, unsigned long long index)
{
  unsigned long long h = (index + 1) * 0x9e3779b97f4a7c15ULL + (array + 1) * 0xd1342543de82ef95ULL;
  h = (h ^ (h >> 32)) * 0xdaba0b6eb09322e3ULL;
  h = (h ^ (h >> 29)) * 0xdaba0b6eb09322e3ULL;
  return h ^ (h >> 32);
}

/* A value in (0, 1). */
static inline double polybench_value(unsigned int array, unsigned long long index)
{
  return ((double) (polybench_hash(array, index) >> 12) + 0.5) / 4503599627370496.0;
}

/* An integer in [0, bound). */
static inline int polybench_integer(unsigned int array, unsigned long long index, int bound)
{
  return (int) (polybench_hash(array, index) % (unsigned long long) bound);
}

/* The dump. */
#define POLYBENCH_DUMP_TARGET stderr
#define POLYBENCH_DUMP_START fprintf(POLYBENCH_DUMP_TARGET, "==BEGIN DUMP_ARRAYS==\n")
#define POLYBENCH_DUMP_FINISH fprintf(POLYBENCH_DUMP_TARGET, "==END   DUMP_ARRAYS==\n")
#define POLYBENCH_DUMP_BEGIN(name) fprintf(POLYBENCH_DUMP_TARGET, "begin dump: %s", name)
#define POLYBENCH_DUMP_END(name) fprintf(POLYBENCH_DUMP_TARGET, "\nend   dump: %s\n", name)

/* Without the dump the call stays, behind a condition that the compiler cannot decide: the kernel is not dead code. */
#ifdef POLYBENCH_DUMP_ARRAYS
# define polybench_prevent_dce(call) call
#else
# define polybench_prevent_dce(call) do { if (argc > 42 && argv[0][0] == '\0') call; } while (0)
#endif

/* Time. */
#ifdef POLYBENCH_TIME
# include <sys/time.h>
static double polybench_t_start, polybench_t_end;
static inline double polybench_clock(void)
{
  struct timeval now;
  gettimeofday(&now, NULL);
  return (double) now.tv_sec + (double) now.tv_usec * 1e-6;
}
# define polybench_start_instruments polybench_t_start = polybench_clock()
# define polybench_stop_instruments polybench_t_end = polybench_clock()
# define polybench_print_instruments printf("%0.6f\n", polybench_t_end - polybench_t_start)
#else
# define polybench_start_instruments
# define polybench_stop_instruments
# define polybench_print_instruments
#endif

#endif
