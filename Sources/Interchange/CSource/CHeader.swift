import Inference
import PlainText

/// The header: what a program may call.
struct CHeader {
  let prefix: String
  let input: Network.InputDescription
  let classCount: Int
  /// 0 where no image is refused.
  let refusalThreshold: Float
  let memory: CMemory
  let constantByteCount: Int

  var text: String {
    let (capitals, extent) = (prefix.uppercased(), input.extent)
    let (paper, ink) = input.isInkHigh ? (0, 255) : (255, 0)
    return """
      /* \(prefix): tells what an image of \(extent.width) x \(extent.height) pixels shows, one of \(classCount) classes.
       *
       * Written by inkling-export. C99; needs no library but, where the compiler calls it, memset.
       * RAM: \(memory.byteCount.groupedDigits) bytes, all of them \(prefix)_scratch, and a little stack.
       * Flash: \(constantByteCount.groupedDigits) bytes of weights and other constants, and the code.
       */
      #ifndef \(capitals)_H
      #define \(capitals)_H

      #include <stdint.h>

      #ifdef __cplusplus
      extern "C" {
      #endif

      /* What an image is. */
      #define \(capitals)_WIDTH \(extent.width)
      #define \(capitals)_HEIGHT \(extent.height)
      #define \(capitals)_CHANNELS \(extent.channels)
      /* The number of classes, and of probabilities. */
      #define \(capitals)_CLASSES \(classCount)
      /* An image whose highest probability is below this shows none of the classes. */
      #define \(capitals)_REFUSAL_THRESHOLD \(refusalThreshold)f

      /* The memory in which a prediction works. It needs no setting up. */
      typedef struct {
      \(memory.members)
      } \(prefix)_scratch;

      /* Classifies an image.
       *
       * pixels: for each channel the rows from the top, each from the left; \(paper) is paper, \(ink) is ink.
       * probabilities: \(capitals)_CLASSES values that are written, together 1.
       * Returns the index of the most probable class; of several the first.
       *
       * It works in static memory, so one thread at a time may call it.
       */
      int \(prefix)_predict(const uint8_t *pixels, float *probabilities);

      /* The same in memory of the caller: threads that each have their own may call it at once. */
      int \(prefix)_predict_with(
          const uint8_t *pixels, float *probabilities, \(prefix)_scratch *scratch);

      /* The name of a class, in UTF-8; a null pointer where there is no such class. */
      const char *\(prefix)_label(int index);

      #ifdef __cplusplus
      }
      #endif

      #endif

      """
  }
}
