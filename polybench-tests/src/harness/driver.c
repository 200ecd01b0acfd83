/* driver.c: runs the original once and every variant in a process of its own, and compares all arrays bit for bit.
 *
 * It is the head of the C file that program.rs writes; the original and the variants follow it, each with its functions
 * renamed, and then the two definitions declared below. Output: one line per variant, "INDEX STATUS TEXT".
 *
 * Every array lies between two pages that cannot be accessed, its end at the second one, so that an access behind the end
 * is a crash; the bytes before its start are checked after the run. Arrays start from a pattern that is not zero: a variant
 * that forgets to initialize does not find zeros by luck.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern const int harness_kernel_count; /* The original and the variants. */
void harness_call(int number, char **argv); /* The original's main, with the kernel of that number; 0 is the original's. */

enum { HARNESS_MAX_ARRAYS = 64, HARNESS_MAX_RANK = 3, HARNESS_TEXT = 400, HARNESS_PATTERN = 0x35 };

struct harness_array {
  const char *name;
  char kind; /* 'd' double, 'f' float, 'i' int, 'x' anything else */
  size_t element, bytes, extents[HARNESS_MAX_RANK];
  int rank;
  unsigned char *map, *data; /* The first guard page, the first element. */
  size_t map_bytes;
};

struct harness_run {
  int count;
  struct harness_array arrays[HARNESS_MAX_ARRAYS];
};

struct harness_report {
  char status[16], text[HARNESS_TEXT];
};

static struct harness_run harness_reference, harness_variant;
static struct harness_run *harness_current = &harness_reference;

static void harness_fail(const char *what)
{
  perror(what);
  _exit(2);
}

void *polybench_harness_array(const char *name, char kind, size_t element, int rank, const size_t *extents)
{
  struct harness_array *a = &harness_current->arrays[harness_current->count];
  size_t page = (size_t) sysconf(_SC_PAGESIZE);
  if (harness_current->count == HARNESS_MAX_ARRAYS || rank > HARNESS_MAX_RANK)
    harness_fail("more arrays or dimensions than the harness holds");
  harness_current->count++;
  a->name = name;
  a->kind = kind;
  a->element = element;
  a->rank = rank;
  a->bytes = element;
  for (int d = 0; d < rank; d++)
    a->bytes *= a->extents[d] = extents[d];
  size_t room = (a->bytes + page - 1) / page * page;
  a->map_bytes = room + 2 * page;
  a->map = mmap(NULL, a->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (a->map == MAP_FAILED || mprotect(a->map + page, room, PROT_READ | PROT_WRITE) != 0)
    harness_fail("memory for an array");
  a->data = a->map + page + room - a->bytes;
  memset(a->map + page, HARNESS_PATTERN, room);
  return a->data;
}

static void harness_release(struct harness_run *run)
{
  for (int i = 0; i < run->count; i++)
    munmap(run->arrays[i].map, run->arrays[i].map_bytes);
  run->count = 0;
}

static void harness_protect(struct harness_run *run)
{
  size_t page = (size_t) sysconf(_SC_PAGESIZE);
  for (int i = 0; i < run->count; i++)
    mprotect(run->arrays[i].map + page, run->arrays[i].map_bytes - 2 * page, PROT_READ);
}

static int harness_print_value(char *out, size_t room, char kind, const unsigned char *at)
{
  double d;
  float f;
  int i;
  switch (kind)
    {
    case 'd': memcpy(&d, at, sizeof d); return snprintf(out, room, "%a", d);
    case 'f': memcpy(&f, at, sizeof f); return snprintf(out, room, "%a", (double) f);
    case 'i': memcpy(&i, at, sizeof i); return snprintf(out, room, "%d", i);
    default: return snprintf(out, room, "0x%02x", at[0]);
    }
}

/* "NAME INDEX,INDEX EXPECTED ACTUAL COUNT" for the first element that differs and the number of those that do. */
static void harness_describe(char *out, const struct harness_array *want, const struct harness_array *got)
{
  size_t elements = want->bytes / want->element, first = elements, count = 0, index[HARNESS_MAX_RANK], rest;
  for (size_t e = 0; e < elements; e++)
    if (memcmp(want->data + e * want->element, got->data + e * want->element, want->element) != 0)
      {
        if (first == elements)
          first = e;
        count++;
      }
  rest = first;
  for (int d = want->rank - 1; d >= 0; d--)
    {
      index[d] = rest % want->extents[d];
      rest /= want->extents[d];
    }
  size_t at = (size_t) snprintf(out, HARNESS_TEXT, "%s ", want->name);
  for (int d = 0; d < want->rank; d++)
    at += (size_t) snprintf(out + at, HARNESS_TEXT - at, d ? ",%lu" : "%lu", (unsigned long) index[d]);
  at += (size_t) snprintf(out + at, HARNESS_TEXT - at, " ");
  at += (size_t) harness_print_value(out + at, HARNESS_TEXT - at, want->kind, want->data + first * want->element);
  at += (size_t) snprintf(out + at, HARNESS_TEXT - at, " ");
  at += (size_t) harness_print_value(out + at, HARNESS_TEXT - at, got->kind, got->data + first * want->element);
  snprintf(out + at, HARNESS_TEXT - at, " %lu", (unsigned long) count);
}

/* Fills the report; true when the two runs agree. */
static int harness_compare(struct harness_report *report)
{
  size_t page = (size_t) sysconf(_SC_PAGESIZE);
  if (harness_reference.count != harness_variant.count)
    {
      strcpy(report->status, "CRASH");
      strcpy(report->text, "allocates other arrays than the original");
      return 0;
    }
  for (int i = 0; i < harness_reference.count; i++)
    {
      const struct harness_array *want = &harness_reference.arrays[i], *got = &harness_variant.arrays[i];
      if (want->bytes != got->bytes || strcmp(want->name, got->name) != 0)
        {
          strcpy(report->status, "CRASH");
          snprintf(report->text, HARNESS_TEXT, "allocates array %s otherwise than the original", want->name);
          return 0;
        }
      for (const unsigned char *b = got->map + page; b < got->data; b++)
        if (*b != HARNESS_PATTERN)
          {
            strcpy(report->status, "CRASH");
            snprintf(report->text, HARNESS_TEXT, "writes before the start of array %s", want->name);
            return 0;
          }
      if (memcmp(want->data, got->data, want->bytes) != 0)
        {
          strcpy(report->status, "DIFF");
          harness_describe(report->text, want, got);
          return 0;
        }
    }
  strcpy(report->status, "OK");
  return 1;
}

/* SIGPROF after so much CPU time, SIGALRM after twenty times as much on the clock and ten seconds; 0 lifts both. */
static void harness_limit(long milliseconds)
{
  long wall = milliseconds ? 20 * milliseconds + 10000 : 0;
  struct itimerval cpu = { { 0, 0 }, { milliseconds / 1000, milliseconds % 1000 * 1000 } };
  struct itimerval clock = { { 0, 0 }, { wall / 1000, wall % 1000 * 1000 } };
  setitimer(ITIMER_PROF, &cpu, NULL);
  setitimer(ITIMER_REAL, &clock, NULL);
}

/* Arguments: milliseconds of CPU time for a run, runs of each variant. */
int main(int argc, char **argv)
{
  if (argc != 3)
    return 2;
  long milliseconds = atol(argv[1]);
  int runs = atoi(argv[2]);
  struct rlimit no_core = { 0, 0 };
  setrlimit(RLIMIT_CORE, &no_core);
  struct harness_report *report =
    mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (report == MAP_FAILED)
    harness_fail("memory for the report");

  harness_limit(milliseconds);
  harness_call(0, argv);
  harness_limit(0);
  harness_protect(&harness_reference);
  harness_current = &harness_variant;

  for (int v = 1; v < harness_kernel_count; v++)
    {
      int status;
      memset(report, 0, sizeof *report);
      fflush(NULL);
      pid_t child = fork();
      if (child < 0)
        harness_fail("fork");
      if (child == 0)
        {
          int same = freopen("/dev/null", "w", stdout) != NULL;
          for (int r = 0; r < runs && same; r++)
            {
              harness_limit(milliseconds);
              harness_call(v, argv);
              same = harness_compare(report);
              harness_release(&harness_variant);
            }
          _exit(0);
        }
      while (waitpid(child, &status, 0) < 0)
        ;
      if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM))
        printf("%d TIMEOUT\n", v);
      else if (WIFSIGNALED(status))
        printf("%d CRASH signal %d (%s)\n", v, WTERMSIG(status), strsignal(WTERMSIG(status)));
      else if (WEXITSTATUS(status) != 0 || report->status[0] == '\0')
        printf("%d CRASH ended with status %d before the kernel returned\n", v, WEXITSTATUS(status));
      else
        printf("%d %s %s\n", v, report->status, report->text);
    }
  return 0;
}

