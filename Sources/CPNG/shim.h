#ifndef INKLING_CPNG_H
#define INKLING_CPNG_H

#if __has_include(<png.h>)
#include <png.h>
#elif defined(__APPLE__)
#error "png.h is missing: brew install libpng"
#else
#error "png.h is missing. On Debian or Ubuntu: apt-get install libopenblas-dev liblapacke-dev zlib1g-dev libpng-dev"
#endif

#endif
