#ifndef INKLING_CPNG_H
#define INKLING_CPNG_H

// A bare machine says what is missing, rather than that some header is not there.
#if __has_include(<png.h>)
#include <png.h>
#else
#error "libpng is missing; on Debian and Ubuntu: apt-get install libpng-dev, on macOS: brew install libpng"
#endif

#endif
