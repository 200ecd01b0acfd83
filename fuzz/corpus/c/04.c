void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
s = 0.0; for (i = 0; i < n; i++) s += A[i] * A[2 * i + 1];
#pragma endscop
}
