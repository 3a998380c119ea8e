#ifndef INKLING_CZLIB_H
#define INKLING_CZLIB_H

#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "zlib.h is missing. On Debian or Ubuntu: apt-get install libopenblas-dev liblapacke-dev zlib1g-dev libpng-dev"
#endif

#endif
