#include "Shims.h"

// Set by the linker; its address is what counts.
extern unsigned char __heap_base;

size_t inkling_heap_base(void) { return (size_t)&__heap_base; }

size_t inkling_memory_end(void) { return (size_t)__builtin_wasm_memory_size(0) << 16; }

int inkling_grow_memory(size_t pages) { return __builtin_wasm_memory_grow(0, pages) != (size_t)-1; }

// There is no C library. The compiler calls these by name; with bulk memory each is an instruction.

void *memset(void *target, int byte, size_t count) { return __builtin_memset(target, byte, count); }

void *memcpy(void *target, const void *source, size_t count) { return __builtin_memcpy(target, source, count); }

void *memmove(void *target, const void *source, size_t count) { return __builtin_memmove(target, source, count); }
