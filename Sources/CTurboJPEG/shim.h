#ifndef INKLING_CTURBOJPEG_H
#define INKLING_CTURBOJPEG_H

#if __has_include(<turbojpeg.h>)
#include <turbojpeg.h>
#elif defined(__APPLE__)
#error "turbojpeg.h is missing: brew install jpeg-turbo"
#else
#error "turbojpeg.h is missing. On Debian or Ubuntu: apt-get install libturbojpeg0-dev"
#endif

#endif
