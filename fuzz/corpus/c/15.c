int main(void) { int a[8][8]; for (int i = 0; i < 8; i++) for (int j = i; j < 8; j++) a[i][j] = i * 8 + j; return a[1][2]; }
