void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
for (unsigned a = 0; a < u; a++) A[a] = 2.0;
#pragma endscop
}
