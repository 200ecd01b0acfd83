/* regions.c: runs every region of a batch and all its variants on equal arrays, and compares the arrays bit for bit.
 *
 * The regions, the functions that call them and `harness_regions` follow. Output: "REGION VARIANT STATUS TEXT" for each variant.
 * Every array has room around it whose bytes are compared too; under the address sanitizer it has none.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HARNESS_MAX_ARRAYS = 16, HARNESS_TEXT = 200 };

#ifdef __SANITIZE_ADDRESS__
enum { HARNESS_ROOM = 0 };
#else
enum { HARNESS_ROOM = 64 };
#endif

struct harness_array {
  const char *name;
  char kind; /* d double, f float, i int, u unsigned, s short, b unsigned char, l long, L unsigned long */
  size_t element, count;
};

struct harness_region {
  int variants, tuples, arrays; /* Variant 0 is the original. */
  const struct harness_array *array;
  void (*call)(int variant, int tuple, void **arrays);
};

struct harness_report {
  int variant, tuple;
  char status[16], text[HARNESS_TEXT];
};

extern const struct harness_region harness_regions[];
extern const int harness_region_count;

static void harness_fill(const struct harness_array *a, unsigned char *at)
{
  for (size_t e = 0; e < a->count; e++)
    {
      unsigned mixed = (unsigned) (e * 2654435761u + 12345u) >> 8;
      void *to = at + e * a->element;
      switch (a->kind)
        {
        case 'd': *(double *) to = (mixed % 2000) * 0.37 - 300.0 + (double) e; break;
        case 'f': *(float *) to = (float) ((mixed % 2000) * 0.37 - 300.0); break;
        case 'i': *(int *) to = (int) (mixed % 1000); break;
        case 'u': *(unsigned *) to = mixed * 7u; break;
        case 's': *(short *) to = (short) (mixed % 1000); break;
        case 'b': *(unsigned char *) to = (unsigned char) mixed; break;
        case 'l': *(long *) to = (long) (mixed % 1000); break;
        default: *(unsigned long *) to = mixed * 99991ul; break;
        }
    }
}

static void harness_run(const struct harness_region *r, int variant, int tuple, unsigned char **blocks)
{
  void *arrays[HARNESS_MAX_ARRAYS];
  for (int i = 0; i < r->arrays; i++)
    {
      size_t bytes = r->array[i].element * r->array[i].count;
      blocks[i] = malloc(bytes + 2 * HARNESS_ROOM);
      if (blocks[i] == NULL)
        _exit(3);
      memset(blocks[i], 0x35, bytes + 2 * HARNESS_ROOM);
      harness_fill(&r->array[i], blocks[i] + HARNESS_ROOM);
      arrays[i] = blocks[i] + HARNESS_ROOM;
    }
  r->call(variant, tuple, arrays);
}

static void harness_release(const struct harness_region *r, unsigned char **blocks)
{
  for (int i = 0; i < r->arrays; i++)
    free(blocks[i]);
}

static void harness_hex(char *out, const unsigned char *at, size_t bytes)
{
  for (size_t b = 0; b < bytes; b++)
    sprintf(out + 2 * b, "%02x", at[bytes - 1 - b]);
}

/* "NAME INDEX EXPECTED ACTUAL COUNT"; true when all arrays agree. */
static int harness_compare(const struct harness_region *r, unsigned char **want, unsigned char **got, char *text)
{
  for (int i = 0; i < r->arrays; i++)
    {
      const struct harness_array *a = &r->array[i];
      size_t bytes = a->element * a->count, first = a->count, count = 0;
      if (memcmp(want[i], got[i], bytes + 2 * HARNESS_ROOM) == 0)
        continue;
      for (size_t e = 0; e < a->count; e++)
        if (memcmp(want[i] + HARNESS_ROOM + e * a->element, got[i] + HARNESS_ROOM + e * a->element, a->element) != 0)
          {
            first = first == a->count ? e : first;
            count++;
          }
      if (count == 0)
        {
          snprintf(text, HARNESS_TEXT, "%s 0 - around 0", a->name);
          return 0;
        }
      char expected[40], actual[40];
      harness_hex(expected, want[i] + HARNESS_ROOM + first * a->element, a->element);
      harness_hex(actual, got[i] + HARNESS_ROOM + first * a->element, a->element);
      snprintf(text, HARNESS_TEXT, "%s %lu %s %s %lu", a->name, (unsigned long) first, expected, actual, (unsigned long) count);
      return 0;
    }
  return 1;
}

static void harness_limit(long milliseconds)
{
  long wall = 20 * milliseconds + 10000;
  struct itimerval cpu = { { 0, 0 }, { milliseconds / 1000, milliseconds % 1000 * 1000 } };
  struct itimerval clock = { { 0, 0 }, { wall / 1000, wall % 1000 * 1000 } };
  setitimer(ITIMER_PROF, &cpu, NULL);
  setitimer(ITIMER_REAL, &clock, NULL);
}

/* All variants from `from` on, each on all parameter values; answers are printed by the child, so that one crash loses one. */
static void harness_variants(const struct harness_region *r, int number, int from, long milliseconds, struct harness_report *report)
{
  for (int v = from; v < r->variants; v++)
    {
      const char *status = "OK";
      report->text[0] = '\0';
      report->variant = v;
      harness_limit(milliseconds);
      for (int t = 0; t < r->tuples && status[0] == 'O'; t++)
        {
          unsigned char *want[HARNESS_MAX_ARRAYS], *got[HARNESS_MAX_ARRAYS];
          report->tuple = t;
          harness_run(r, 0, t, want);
          harness_run(r, v, t, got);
          if (!harness_compare(r, want, got, report->text))
            status = "DIFF";
          harness_release(r, want);
          harness_release(r, got);
        }
      printf("%d %d %s %s\n", number, v, status, report->text);
      fflush(stdout);
    }
}

/* Argument: milliseconds of CPU time for a variant. */
int main(int argc, char **argv)
{
  if (argc != 2)
    return 2;
  struct rlimit no_core = { 0, 0 };
  setrlimit(RLIMIT_CORE, &no_core);
  struct harness_report *report =
    mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (report == MAP_FAILED)
    return 2;
  for (int number = 0; number < harness_region_count; number++)
    {
      const struct harness_region *r = &harness_regions[number];
      int from = 1;
      while (from < r->variants)
        {
          int status;
          fflush(NULL);
          pid_t child = fork();
          if (child < 0)
            return 2;
          if (child == 0)
            {
              harness_variants(r, number, from, atol(argv[1]), report);
              exit(0);
            }
          while (waitpid(child, &status, 0) < 0)
            ;
          if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
          if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM))
            printf("%d %d TIMEOUT\n", number, report->variant);
          else if (WIFSIGNALED(status))
            printf("%d %d CRASH signal %d (%s)\n", number, report->variant, WTERMSIG(status), strsignal(WTERMSIG(status)));
          else
            printf("%d %d CRASH ended with status %d\n", number, report->variant, WEXITSTATUS(status));
          from = report->variant + 1;
        }
    }
  return 0;
}
