#ifndef EMBEDDED_STARTUP_H
#define EMBEDDED_STARTUP_H

#include <stddef.h>

/// The .ink file in flash.
const void *embedded_model_address(void);
size_t embedded_model_byte_count(void);

/// Opens a file on the machine that runs the emulator; below 0 if that fails.
int embedded_open(const char *name, size_t length, int isWritten);

/// Whether all of the bytes were read, or written.
int embedded_read(int file, void *bytes, size_t count);
int embedded_write(int file, const void *bytes, size_t count);

/// The clock, in ticks that start anew at 2^24; under `-icount shift=0` an instruction takes 1 ns.
unsigned embedded_ticks(void);

/// Bytes of variables that are there from the start.
size_t embedded_static_byte_count(void);

/// The first free byte of RAM, aligned to 32. The stack grows towards it from the end of RAM.
void *embedded_free_memory(void);

/// How deep the stack has ever been, given where data end.
size_t embedded_stack_byte_count(const void *end_of_data);

#endif
