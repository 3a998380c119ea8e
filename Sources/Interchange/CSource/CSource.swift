import Inference
import Training

/// A network as C: a source file and its header, that need no other file and no library.
///
/// ```swift
/// let code = try CSource(exported.network, tensors: exported.tensors, name: "digits")
/// // code.header is for digits.h, code.source for digits.c
/// ```
///
/// The C is C99 without `malloc` and libm, and computes as the runtime's plain loops do: the same operations in the same
/// order, so the probabilities are the same bits. Weights are written so that they are exact.
public struct CSource: Sendable {
  /// What the names of all functions and types begin with, and in capitals those of the constants.
  public let prefix: String
  /// The text of the header: how to call it, and how much memory it takes.
  public let header: String
  /// The text of the source file, which includes `name.h`.
  public let source: String
  /// The memory in which a prediction works.
  public let scratchByteCount: Int
  /// The weights and other numbers of the network.
  public let constantByteCount: Int

  /// - Parameters:
  ///   - network: the operations, with whole-number arithmetic or without.
  ///   - tensors: those of the network, as they are to be stored.
  ///   - name: the output's file name without its extension; `prefix` is made of it.
  ///
  /// Throws an `InkError` for a network that no `.ink` file can hold either. Costs time and text in proportion to the
  /// weights: about 16 characters for a float32, 8 for a float16, 5 for an int8, 3 for an int4.
  public init(_ network: LoweredNetwork, tensors: [QuantizedMatrix], name: String) throws(InkError) {
    // The reader of that format checks the network, and tells what lies where.
    let checked = try Network(copying: InkWriter(network, tensors: tensors).bytes)
    var memory = CMemory()
    let layers = checked.placedOperations.enumerated().map { index, operation in
      CLayer(index + 1, operation, in: &memory, tensors)
    }
    prefix = CText.identifier(name)
    scratchByteCount = memory.byteCount
    constantByteCount = layers.reduce(0) { $0 + $1.byteCount }
    header =
      CHeader(
        prefix: prefix, input: network.input, classCount: network.labels.count,
        refusalThreshold: network.refusalThreshold, memory: memory, constantByteCount: constantByteCount
      ).text
    source = Self.source(prefix, name: name, layers, memory, labels: network.labels)
  }

  private static func source(
    _ prefix: String, name: String, _ layers: [CLayer], _ memory: CMemory, labels: [String]
  ) -> String {
    let functions = CFunction.withThoseTheyCall(layers.flatMap(\.functions))
    return """
      /* \(prefix): tells what an image shows; the functions that do are at the end.
       *
       * Written by inkling-export. The arithmetic is that of Inkling's runtime, operation by operation,
       * and gives the same bits with every compiler that keeps to IEEE 754. For speed use -O3.
       */
      #include "\(name).h"

      #ifdef __FAST_MATH__
      #error "numbers are rounded here by adding a large one: compile this file without -ffast-math"
      #endif

      /* A multiplication fused with an addition would round otherwise. gcc obeys only a pragma of its
       * own; clang the one of C, unless it is given -ffp-contract=fast. */
      #if defined(__GNUC__) && !defined(__clang__)
      #pragma GCC optimize("fp-contract=off")
      #else
      #pragma STDC FP_CONTRACT OFF
      #endif

      \(functions.map(\.text).joined(separator: "\n\n"))

      \(layers.map(\.constants).filter { !$0.isEmpty }.joined(separator: "\n\n"))

      \(predict(prefix, layers, memory))

      int \(prefix)_predict(const uint8_t *pixels, float *probabilities) {
        static \(prefix)_scratch scratch;
        return \(prefix)_predict_with(pixels, probabilities, &scratch);
      }

      const char *\(prefix)_label(int index) {
        static const char *const labels[\(prefix.uppercased())_CLASSES] = {
      \(labels.map { "    \(CText.string($0, indentation: 4))" }.joined(separator: ",\n"))
        };
        return index >= 0 && index < \(prefix.uppercased())_CLASSES ? labels[index] : 0;
      }

      """
  }

  private static func predict(_ prefix: String, _ layers: [CLayer], _ memory: CMemory) -> String {
    """
    int \(prefix)_predict_with(
        const uint8_t *pixels, float *probabilities, \(prefix)_scratch *scratch) {
    \(memory.pointers)

    \(layers.map(\.calls).joined(separator: "\n"))

      int best = 0;
      for (int index = 0; index < \(prefix.uppercased())_CLASSES; index++) {
        probabilities[index] = \(memory.current)[index];
        if (probabilities[index] > probabilities[best]) best = index;
      }
      return best;
    }
    """
  }
}
