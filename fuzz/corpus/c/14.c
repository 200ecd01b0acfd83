struct p { int x, y; };
typedef double real;
static real g[10];
void h(struct p *q, const int n) {
  for (int i = 0; i < n && i < 10; i++)
    g[i] = q->x * g[9 - i];
}
