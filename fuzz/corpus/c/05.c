void f(int n, int m, double *A, double B[20][20], unsigned u) {
  int i, j, k; double s;
#pragma scop
for (int a = 0; a < 20; a++) { double t = B[a][a]; for (int b = a + 1; b < 20; b++) B[a][b] /= t; }
#pragma endscop
}
