void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
i = 0; for (j = 0; j < n; j++) { A[i] = j; i = i + 1; }
#pragma endscop
}
