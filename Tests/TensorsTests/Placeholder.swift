import Testing

@testable import Tensors
