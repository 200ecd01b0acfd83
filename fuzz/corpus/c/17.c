void f(int n, int *a) { for (int i = 0; i < n; i++) { a[i] <<= 2; a[i] ^= i; goto out; } out:; }
