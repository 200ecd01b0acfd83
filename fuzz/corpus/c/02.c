void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
if (n > 3 && m != 2) for (i = n; i > m; i -= 2) A[i] += s; else s = 0.0;
#pragma endscop
}
