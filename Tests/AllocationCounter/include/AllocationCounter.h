#ifndef INKLING_ALLOCATION_COUNTER_H
#define INKLING_ALLOCATION_COUNTER_H

/// Starts to count every call of malloc and its relatives, by any thread and library of the process.
void allocation_counter_start(void);

/// Stops counting and returns the count; -1 where the C library cannot be asked (anything but glibc).
long allocation_counter_stop(void);

#endif
