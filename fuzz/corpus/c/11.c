void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
k = 0; for (i = 0; i < n; i++) for (j = i; j < 2 * i; j++) A[i + j] = A[i] ? A[j] : s;
#pragma endscop
}
