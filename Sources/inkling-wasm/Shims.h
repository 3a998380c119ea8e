// What Swift cannot say itself: where WebAssembly's memory begins to be free, how large it is, and to have it grow.

#ifndef INKLING_WASM_SHIMS_H
#define INKLING_WASM_SHIMS_H

#include <stddef.h>

/// The first address behind the program's own data and stack.
size_t inkling_heap_base(void);

/// The end of the memory.
size_t inkling_memory_end(void);

/// Adds so many pages of 64 KiB; 0 if they are not to be had.
int inkling_grow_memory(size_t pages);

#endif
