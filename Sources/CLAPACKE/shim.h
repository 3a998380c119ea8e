#ifndef INKLING_CLAPACKE_H
#define INKLING_CLAPACKE_H

#if __has_include(<lapacke.h>)
#include <lapacke.h>
#else
#error "lapacke.h is missing. On Debian or Ubuntu: apt-get install libopenblas-dev liblapacke-dev zlib1g-dev libpng-dev"
#endif

#endif
