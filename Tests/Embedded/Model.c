// The .ink file as constant data, which on a microcontroller stays in flash. Its name is given to the compiler.

#include "Startup.h"

static const _Alignas(64) unsigned char model[] = {
#embed MODEL
};

const void *embedded_model_address(void) { return model; }

size_t embedded_model_byte_count(void) { return sizeof model; }
