void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
while (n > 0) n--;
#pragma endscop
}
