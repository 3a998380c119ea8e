// What has to be there before and around Swift on a Cortex-M4: vectors, memory, the FPU, and a door to the machine
// that runs the emulator (Arm semihosting).

#include "Startup.h"

extern unsigned char data_start[], data_end[], data_load[], bss_start[], bss_end[], stack_top[];

int embedded_main(void);

// Volatile, so that the compiler does not make calls of these loops to the functions that they are in.

void *memcpy(void *target, const void *source, size_t count) {
  volatile unsigned char *to = target;
  const unsigned char *from = source;
  while (count--) *to++ = *from++;
  return target;
}

void *memmove(void *target, const void *source, size_t count) {
  volatile unsigned char *to = target;
  const unsigned char *from = source;
  if (to <= from) return memcpy(target, source, count);
  while (count--) to[count] = from[count];
  return target;
}

void *memset(void *target, int byte, size_t count) {
  volatile unsigned char *to = target;
  while (count--) *to++ = (unsigned char)byte;
  return target;
}

// The names by which compilers call them on Arm, without a result and with the last two swapped for memset.
void __aeabi_memcpy(void *to, const void *from, size_t count) { memcpy(to, from, count); }
void __aeabi_memcpy4(void *to, const void *from, size_t count) { memcpy(to, from, count); }
void __aeabi_memcpy8(void *to, const void *from, size_t count) { memcpy(to, from, count); }
void __aeabi_memmove(void *to, const void *from, size_t count) { memmove(to, from, count); }
void __aeabi_memmove4(void *to, const void *from, size_t count) { memmove(to, from, count); }
void __aeabi_memset(void *to, size_t count, int byte) { memset(to, byte, count); }
void __aeabi_memclr(void *to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr4(void *to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr8(void *to, size_t count) { memset(to, 0, count); }

static int semihosting(int operation, const void *arguments) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

int embedded_open(const char *name, size_t length, int isWritten) {
  size_t arguments[] = {(size_t)name, isWritten ? 5 : 1, length};  // "wb" or "rb"
  return semihosting(0x01, arguments);
}

int embedded_read(int file, void *bytes, size_t count) {
  size_t arguments[] = {(size_t)file, (size_t)bytes, count};
  return semihosting(0x06, arguments) == 0;
}

int embedded_write(int file, const void *bytes, size_t count) {
  size_t arguments[] = {(size_t)file, (size_t)bytes, count};
  return semihosting(0x05, arguments) == 0;
}

static _Noreturn void embedded_exit(int status) {
  size_t arguments[] = {0x20026, (size_t)status};  // the program ended by itself, with this status
  for (;;) semihosting(0x20, arguments);
}

// SysTick: control, reload value, current value. It counts down at the clock's pace.
#define SYSTICK ((volatile unsigned *)0xE000E010)

unsigned embedded_ticks(void) { return 0xFFFFFF - SYSTICK[2]; }

size_t embedded_static_byte_count(void) { return (size_t)(bss_end - data_start); }

void *embedded_free_memory(void) { return (void *)(((size_t)bss_end + 31) & ~(size_t)31); }

// What memory holds that nobody has written to yet.
#define UNTOUCHED 0xA5

size_t embedded_stack_byte_count(const void *end_of_data) {
  const unsigned char *place = end_of_data;
  while (place < stack_top && *place == UNTOUCHED) place++;
  return (size_t)(stack_top - place);
}

static void fault(void) { embedded_exit(3); }

static void reset(void) {
  *(volatile unsigned *)0xE000ED88 |= 0xF << 20;  // full access to the FPU
  __asm__ volatile("dsb\n isb" ::: "memory");
  memcpy(data_start, data_load, (size_t)(data_end - data_start));
  memset(bss_start, 0, (size_t)(bss_end - bss_start));
  unsigned char *here = __builtin_frame_address(0);
  memset(bss_end, UNTOUCHED, (size_t)(here - bss_end) - 128);
  SYSTICK[1] = 0xFFFFFF;
  SYSTICK[2] = 0;
  SYSTICK[0] = 5;
  embedded_exit(embedded_main());
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top, reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
    fault, fault, fault,
};
