// A digest of what the exports of inkling.wasm answer, for an engine that can neither read files nor be programmed:
// `digest(count)` classifies the first `count` of the digits inside, with the model inside.

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *target, const void *source, size_t count);
unsigned char *inkling_allocate(ptrdiff_t byte_count);
int32_t inkling_load(void);
ptrdiff_t inkling_width(void), inkling_height(void), inkling_class_count(void), inkling_predict(void);
unsigned char *inkling_pixels(void);
const unsigned char *inkling_probabilities(void);

static const unsigned char model[] = {
#embed MODEL
};
static const unsigned char digits[] = {
#embed DIGITS
};

// FNV-1a of 32 bits.
static uint32_t add(uint32_t digest, const void *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) digest = (digest ^ ((const unsigned char *)bytes)[index]) * 16777619u;
  return digest;
}

/// The digest of each class (32 bits) and its probabilities; the status with all upper bits set where loading failed.
uint32_t digest(uint32_t count) {
  memcpy(inkling_allocate(sizeof model), model, sizeof model);
  const int32_t status = inkling_load();
  if (status != 0) return 0xFFFFFF00u | (uint32_t)status;
  const size_t size = (size_t)(inkling_width() * inkling_height());
  uint32_t result = 2166136261u;
  for (size_t image = 0; image < count && (image + 1) * size <= sizeof digits; image++) {
    memcpy(inkling_pixels(), digits + image * size, size);
    const int32_t class = (int32_t)inkling_predict();
    result = add(result, &class, sizeof class);
    result = add(result, inkling_probabilities(), (size_t)inkling_class_count() * sizeof(float));
  }
  return result;
}
