void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
for (i = 0; i < (n < m ? n : m); ++i) for (j = 0; j <= i / 2; j++) if ((i + j) % 3 == 0) B[i][j] = -B[i][j];
#pragma endscop
}
