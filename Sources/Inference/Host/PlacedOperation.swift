#if INKLING_KERNELS
  /// An operation in its place among the others: what exporters to other formats go by.
  package struct PlacedOperation {
    package let operation: Operation
    package let input: Extent3
    package let output: Extent3
    /// Where the operation wants floats and gets bytes, what makes them such: a byte b stands for b · scale + offset.
    package let conversion: (scale: Float, offset: Float)?
    /// Whether it computes from bytes, and whether it hands bytes on; else floats.
    package let takesBytes: Bool
    package let givesBytes: Bool
    /// Whether the output takes the input's place in memory.
    package let isInPlace: Bool
  }

  extension Network {
    /// All operations, in the order in which they are done.
    package var placedOperations: [PlacedOperation] {
      var result: [PlacedOperation] = []
      // Both fail for no file that was checked.
      guard var walk = try? Walk(bytes: bytes, operations: operations, tensors: tensors, input: input) else {
        return []
      }
      var storage = Storage.pixels
      while let step = (try? walk.next()) ?? nil {
        result.append(
          PlacedOperation(
            operation: step.operation, input: step.input, output: step.output,
            conversion: walk.converted ? byteMeaning(storage) : nil,
            takesBytes: step.inputStorage != .floats, givesBytes: step.outputStorage != .floats,
            isInPlace: step.operation.isInPlace))
        storage = step.outputStorage
      }
      return result
    }
  }
#endif
