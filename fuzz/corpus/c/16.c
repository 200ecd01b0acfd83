# 1 "x.c" 2
extern int puts(const char *);
void f(long n, float *restrict x) {
  for (long i = n - 1; i >= 0; i--) x[i] = x[i] * 0.5f;
  puts("done\n");
}
