void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
for (i = 1; i < n; i += 3) { for (j = i; j >= 0; j--) B[i][j] = B[j][i] * s; A[i] = B[i][0]; }
#pragma endscop
}
