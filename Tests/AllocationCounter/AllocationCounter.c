// Takes the place of the C library's allocator and passes each call on, which glibc allows any program.

#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__GLIBC__)

static atomic_bool isCounting;
static atomic_long count;

static void note(void) {
  if (atomic_load_explicit(&isCounting, memory_order_relaxed)) atomic_fetch_add(&count, 1);
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t items, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  note();
  return __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

void allocation_counter_start(void) {
  atomic_store(&count, 0);
  atomic_store(&isCounting, 1);
}

long allocation_counter_stop(void) {
  atomic_store(&isCounting, 0);
  return atomic_load(&count);
}

#else

void allocation_counter_start(void) {}
long allocation_counter_stop(void) { return -1; }

#endif
