void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
for (i = 0; i < n; i++) { if (A[i] > 0) A[i] = 0; }
#pragma endscop
}
