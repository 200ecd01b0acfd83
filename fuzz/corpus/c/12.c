void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
A[0] = 1; A[1] = A[0]; /* c */ // d
  A[2] = sizeof(double) + 'x';
#pragma endscop
}
