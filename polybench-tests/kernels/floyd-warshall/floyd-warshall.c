/* floyd-warshall: all shortest paths of a graph by the Floyd-Warshall algorithm. */
#include <stdio.h>

#include <polybench.h>
#include "floyd-warshall.h"

/* All arrays, those included that the kernel only writes: a dump has no element that depends on the machine. */
static
void init_array(int n, DATA_TYPE POLYBENCH_2D(path, N, N, n, n))
{
  int i, j;

  /* Lengths of very different magnitude: most shortest paths have several edges. A sum of two stays below 2^31. */
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      path[i][j] = (1 << 18) + polybench_integer(0, i * n + j, 1 << 18 << polybench_integer(1, i * n + j, 12));
}

/* Every array that the region writes. */
static
void print_array(int n, DATA_TYPE POLYBENCH_2D(path, N, N, n, n))
{
  int i, j;

  POLYBENCH_DUMP_START;
  POLYBENCH_DUMP_BEGIN("path");
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      {
        if ((i * n + j) % 20 == 0)
          fprintf(POLYBENCH_DUMP_TARGET, "\n");
        fprintf(POLYBENCH_DUMP_TARGET, DATA_PRINTF_MODIFIER, path[i][j]);
      }
  POLYBENCH_DUMP_END("path");
  POLYBENCH_DUMP_FINISH;
}

static
void kernel_floyd_warshall(int n, DATA_TYPE POLYBENCH_2D(path, N, N, n, n))
{
  int i, j, k;

#pragma scop
  for (k = 0; k < _PB_N; k++)
    {
      for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_N; j++)
          path[i][j] = path[i][j] < path[i][k] + path[k][j]
            ? path[i][j]
            : path[i][k] + path[k][j];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = N;

  POLYBENCH_2D_ARRAY_DECL(path, DATA_TYPE, N, N, n, n);

  init_array(n, POLYBENCH_ARRAY(path));

  polybench_start_instruments;
  kernel_floyd_warshall(n, POLYBENCH_ARRAY(path));
  polybench_stop_instruments;
  polybench_print_instruments;

  polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(path)));

  POLYBENCH_FREE_ARRAY(path);
  return 0;
}
