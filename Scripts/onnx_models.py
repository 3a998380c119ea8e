"""ONNX models of the kinds that others write, by name, and such as have to be refused: see test-onnx-reading.py."""

import ml_dtypes
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

# Sums in another order.
SAME = 1e-5
# Values between the layers are rounded to bytes by ONNX Runtime, and are floats in the .ink file.
ROUNDED = 0.02
FLOAT, UINT8, INT64 = TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT64
# The version of the file's layout that came with an opset or a little later.
LAYOUT = {7: 3, 8: 3, 9: 4, 10: 5, 11: 6, 12: 7, 13: 7, 15: 8, 17: 8, 18: 8, 21: 10}

# Functions that make a model; and for what is refused also what the error says, such as the node.
MODELS, REFUSALS = {}, {}


def model(function):
    MODELS[function.__name__.replace("_", " ")] = function
    return function


def refused(words):
    def register(function):
        REFUSALS[function.__name__.replace("_", " ")] = (function, words)
        return function
    return register


class Graph:
    """Nodes one after another; `x` is what the last one gave."""

    def __init__(self, opset=13, shape=("N", 1, 28, 28), element=FLOAT, scale=1 / 255, seed=1):
        self.opset, self.shape, self.element = opset, list(shape), element
        # What the file takes is pixels times this.
        self.scale, self.options, self.tolerance = scale, [], SAME
        self.random = numpy.random.default_rng(seed)
        self.nodes, self.tensors, self.inputs, self.outputs = [], [], [], []
        self.domains, self.metadata = [], {}
        self.x = "image"
        self.give, self.result, self.post = [], None, "scores"

    def tensor(self, array, name=None):
        """An initialiser; gives its name."""
        name = name or f"t{len(self.tensors)}"
        proto = array if isinstance(array, TensorProto) else numpy_helper.from_array(numpy.asarray(array), name)
        proto.name = name
        self.tensors.append(proto)
        return name

    def ints(self, *values):
        return self.tensor(numpy.array(values, numpy.int64))

    def floats(self, *values, shape=None):
        array = numpy.array(values, numpy.float32)
        return self.tensor(array if shape is None else array.reshape(shape))

    def random_array(self, *shape, size=None):
        """Numbers that keep values at about 1 where `shape` is that of weights [outputs, inputs...]."""
        inner = int(numpy.prod(shape[1:])) if len(shape) > 1 else 1
        return (self.random.standard_normal(shape) * (size or (2 / inner) ** 0.5)).astype(numpy.float32)

    def weights(self, *shape, size=None):
        return self.tensor(self.random_array(*shape, size=size))

    def node(self, kind, inputs, outputs=1, domain="", **attributes):
        names = [f"v{len(self.nodes)}"] if outputs == 1 else [f"v{len(self.nodes)}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, f"n{len(self.nodes)}", domain=domain, **attributes))
        return names[0]

    def add(self, kind, *others, **attributes):
        """A node whose first input is what the one before gave."""
        self.x = self.node(kind, [self.x, *others], **attributes)
        return self

    def conv(self, filters, channels=1, kernel=3, groups=1, bias=True, **attributes):
        inputs = [self.weights(filters, channels // groups, kernel, kernel)]
        inputs += [self.weights(filters, size=0.3)] if bias else []
        return self.add("Conv", *inputs, **({"group": groups} if groups > 1 else {}), **attributes)

    def relu(self):
        return self.add("Relu")

    def pool(self, kind="MaxPool", size=2, step=None, **attributes):
        return self.add(kind, kernel_shape=[size, size], strides=[step or size] * 2, **attributes)

    def dense(self, inputs, outputs=10):
        return self.add("Gemm", self.weights(outputs, inputs), self.weights(outputs, size=0.3), transB=1)

    def head(self, inputs, outputs=10):
        """The end of most: flattened, scores, probabilities."""
        self.add("Flatten").dense(inputs, outputs)
        return self.softmax()

    def softmax(self, **attributes):
        self.add("Softmax", **({"axis": 1} | attributes))
        self.post = "probabilities"
        return self

    def normalize(self, channels, **attributes):
        parameters = [1 + self.random_array(channels, size=0.2), self.random_array(channels, size=0.3),
                      self.random_array(channels, size=0.3), 0.5 + self.random.random(channels).astype(numpy.float32)]
        return self.add("BatchNormalization", *(self.tensor(p) for p in parameters), **attributes)

    def list_tensors(self):
        """Up to IR version 3 every initialiser is an input too."""
        self.inputs = [helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in self.tensors]
        return self

    def proto(self):
        outputs = self.outputs or [(self.x, FLOAT, ["batch", "classes"])]
        self.result = self.result or self.x
        graph = helper.make_graph(
            self.nodes, "graph",
            [helper.make_tensor_value_info("image", self.element, self.shape), *self.inputs],
            [helper.make_tensor_value_info(name, element, shape) for name, element, shape in outputs], self.tensors)
        sets = [helper.make_opsetid("", self.opset)] + [helper.make_opsetid(domain, 1) for domain in self.domains]
        made = helper.make_model(graph, opset_imports=sets, ir_version=LAYOUT[self.opset])
        helper.set_model_props(made, self.metadata)
        return made

    def tensors_too(self, **arrays):
        for name, array in arrays.items():
            self.tensor(numpy.asarray(array), name)
        return self


# What PyTorch writes.


@model
def torch_lenet():
    g = Graph().conv(6, kernel=5, pads=[2, 2, 2, 2]).relu().pool(dilations=[1, 1], ceil_mode=0, pads=[0, 0, 0, 0])
    g.conv(16, 6, kernel=5).relu().pool().add("Flatten", axis=1)
    return g.dense(400, 120).relu().dense(120, 84).relu().dense(84)


@model
def torch_view_of_open_batch():
    g = Graph().conv(4).relu().pool()
    shape = g.node("Shape", [g.x])
    first = g.node("Gather", [shape, g.tensor(numpy.array(0, numpy.int64))], axis=0)
    whole = g.node("Concat", [g.node("Unsqueeze", [first, g.ints(0)]), g.ints(-1)], axis=0)
    return g.add("Reshape", whole).dense(676)


@model
def torch_shape_from_to():
    g = Graph(opset=15).conv(4).relu().pool()
    shape = g.node("Shape", [g.x], start=0, end=1)
    rest = g.node("Shape", [g.x], start=-3)
    count = g.node("Mul", [g.node("Gather", [rest, g.ints(0)]), g.node("Gather", [rest, g.ints(1)])])
    count = g.node("Mul", [count, g.node("Gather", [rest, g.ints(-1)])])
    return g.add("Reshape", g.node("Concat", [shape, count], axis=0)).dense(676)


@model
def torch_zero_pad():
    g = Graph()
    zeros = g.node("ConstantOfShape", [g.ints(4)], value=numpy_helper.from_array(numpy.array([0], numpy.int64)))
    pads = g.node("Concat", [g.ints(1, 2, 3, 0), zeros], axis=0)
    pads = g.node("Reshape", [pads, g.ints(-1, 2)])
    last = -(2 ** 63) + 1
    pads = g.node("Slice", [pads, g.ints(-1), g.ints(last), g.ints(0), g.ints(-1)])
    pads = g.node("Reshape", [g.node("Transpose", [pads], perm=[1, 0]), g.ints(-1)])
    pads = g.node("Cast", [pads], to=INT64)
    g.add("Pad", pads, g.floats(0, shape=()), mode="constant").conv(4)
    return g.relu().pool().head(4 * 14 * 14)


@model
def torch_log_softmax():
    g = Graph().conv(3, strides=[2, 2]).relu().add("Flatten").dense(507).add("LogSoftmax", axis=1)
    g.post = "logarithms"
    return g


@model
def torch_adaptive_pool():
    g = Graph().conv(8, strides=[2, 2], bias=False).normalize(8).relu().conv(8, 8, groups=8, pads=[1, 1, 1, 1]).relu()
    return g.add("GlobalAveragePool").add("Flatten", axis=1).dense(8)


@model
def torch_mean_of_axes():
    return Graph().conv(8).relu().add("ReduceMean", axes=[2, 3], keepdims=0).dense(8)


@model
def torch_mean_of_axes_as_input():
    g = Graph(opset=18).conv(8).relu()
    return g.add("ReduceMean", g.ints(-1, -2), keepdims=1).add("Squeeze", g.ints(3, 2)).dense(8)


@model
def torch_dropout_and_identity():
    g = Graph().conv(4).relu()
    g.add("Dropout", g.floats(0.5, shape=()), g.tensor(numpy.array(False))).pool().add("Identity")
    return g.head(676)


@model
def torch_ceil_mode():
    # 27 columns: the last window reaches over the edge.
    g = Graph().conv(4, kernel=2).relu().pool(ceil_mode=1)
    return g.pool(size=3, ceil_mode=1).head(4 * 5 * 5)


@model
def ceil_mode_behind_padding():
    # The zeros are a part of the image: 29 rows, of which the last one gets a window too.
    g = Graph().conv(4, kernel=2).relu()
    g.add("Pad", g.ints(0, 0, 1, 0, 0, 0, 1, 1)).pool(size=2, ceil_mode=1)
    return g.head(4 * 15 * 14)


@model
def ceil_mode_of_valid_windows():
    # 26 columns: the last window reaches over the edge here too.
    return Graph().conv(4).relu().pool(size=3, step=2, ceil_mode=1, auto_pad="VALID").head(4 * 13 * 13)


@model
def torch_padded_pools():
    g = Graph().conv(4).relu().pool(size=3, step=2, pads=[1, 1, 1, 1])
    return g.pool("AveragePool", size=3, step=2, pads=[1, 1, 1, 1], count_include_pad=1).head(4 * 7 * 7)


@model
def average_pool_that_fits_in_ceil_mode():
    return Graph().conv(4).relu().pool("AveragePool", ceil_mode=1, pads=[0, 0, 0, 0]).head(676)


# What tf2onnx and Keras write.


@model
def keras_channels_last():
    g = Graph(shape=("N", 28, 28, 1)).add("Transpose", perm=[0, 3, 1, 2]).conv(4, auto_pad="SAME_UPPER", strides=[2, 2])
    g.relu().pool(auto_pad="VALID").add("Transpose", perm=[0, 2, 3, 1])
    g.add("Reshape", g.ints(-1, 196)).add("MatMul", g.weights(196, 32, size=0.1)).add("Add", g.weights(32, size=0.3)).relu()
    return g.add("MatMul", g.weights(32, 10, size=0.3)).add("Add", g.weights(10, size=0.3)).softmax(axis=-1)


@model
def keras_channels_last_by_reshape():
    g = Graph(opset=9, shape=("N", 28, 28, 1)).add("Reshape", g_shape := "shape")
    g.tensor(numpy.array([-1, 1, 28, 28], numpy.int64), g_shape)
    g.conv(4, auto_pad="SAME_UPPER", kernel=4, strides=[3, 3]).relu().add("Transpose", perm=[0, 2, 3, 1])
    return g.add("Flatten").dense(400).softmax(axis=1)


@model
def keras_colour_channels_last():
    g = Graph(shape=("N", 14, 28, 3)).add("Transpose", perm=[0, 3, 1, 2])
    g.conv(4, 3, auto_pad="SAME_LOWER", kernel=4, strides=[2, 2]).relu().add("Transpose", perm=[0, 2, 3, 1])
    return g.add("ReduceMean", axes=[1, 2], keepdims=0).add("MatMul", g.weights(4, 10)).softmax()


@model
def keras_dense():
    g = Graph(opset=9, shape=("N", 28, 28)).add("Reshape", "shape")
    g.tensor(numpy.array([-1, 784], numpy.int64), "shape")
    g.add("MatMul", g.weights(784, 24, size=0.05)).add("Add", g.weights(24)).relu()
    return g.add("MatMul", g.weights(24, 10, size=0.3)).add("Add", g.weights(10)).softmax(axis=1)


@model
def keras_flatten_of_open_batch():
    g = Graph(opset=11, shape=("N", 28, 28, 1)).add("Transpose", perm=[0, 3, 1, 2]).conv(4).relu().pool()
    g.add("Transpose", perm=[0, 2, 3, 1])
    shape = g.node("Cast", [g.node("Shape", [g.x])], to=TensorProto.INT32)
    shape = g.node("Cast", [shape], to=INT64)
    first = g.node("Slice", [shape, g.ints(0), g.ints(1), g.ints(0)])
    first = g.node("Squeeze", [first], axes=[0])
    both = g.node("Concat", [g.node("Unsqueeze", [first], axes=[0]), g.ints(-1)], axis=0)
    return g.add("Reshape", both).add("MatMul", g.weights(676, 10, size=0.05)).softmax()


@model
def keras_normalization_as_products():
    # A batch normalisation that was taken apart.
    g = Graph().conv(4, bias=False)
    variance = g.node("Add", [g.tensor(g.random.random(4).astype(numpy.float32)), g.floats(0.001)])
    factor = g.node("Mul", [g.node("Reciprocal", [g.node("Sqrt", [variance])]), g.weights(4)])
    factor = g.node("Reshape", [factor, g.ints(1, 4, 1, 1)])
    shift = g.node("Sub", [g.weights(1, 4, 1, 1), g.node("Mul", [g.weights(4, 1, 1), factor])])
    return g.add("Mul", factor).add("Add", shift).relu().head(4 * 26 * 26)


@model
def keras_sequential_of_channels_last_dense():
    # The dense layer stays in front of the transposition of nothing: a vector in two axes.
    g = Graph(shape=("N", 28, 28)).add("Unsqueeze", "axes").conv(3, strides=[4, 4]).relu()
    g.tensor(numpy.array([1], numpy.int64), "axes")
    g.add("Transpose", perm=[0, 2, 3, 1]).add("Reshape", g.ints(0, -1))
    return g.dense(147).softmax()


# What CNTK and others of its time wrote.


@model
def cntk_fixed_batch():
    g = Graph(opset=7, shape=(1, 1, 28, 28), scale=1)
    g.options = ["--scale", "1"]
    g.add("Div", g.floats(255.0))
    g.conv(8, kernel=5, bias=False, auto_pad="SAME_UPPER", dilations=[1, 1]).add("Add", g.weights(8, 1, 1)).relu()
    g.pool(auto_pad="NOTSET", pads=[0, 0, 0, 0]).pool(size=3, pads=[0, 0, 0, 0])
    g.add("Reshape", g.ints(1, 128))
    weights = g.node("Reshape", [g.weights(8, 4, 4, 10, size=0.1), g.ints(128, 10)])
    g.add("MatMul", weights).add("Add", g.weights(1, 10))
    return g.list_tensors()


@model
def fixed_batch_of_four():
    g = Graph(shape=(4, 1, 28, 28)).conv(4, strides=[3, 3]).relu().add("Reshape", "shape").dense(324)
    g.tensor(numpy.array([4, -1], numpy.int64), "shape")
    return g


@model
def initializers_listed_as_inputs():
    return Graph(opset=8).conv(4).relu().pool().head(676).list_tensors()


@model
def pad_as_attribute():
    g = Graph(opset=9).add("Pad", pads=[0, 0, 1, 2, 0, 0, 2, 1], mode="constant", value=0.0)
    return g.conv(4, pads=[1, 0, 0, 1], strides=[2, 2]).relu().head(4 * 15 * 15)


@model
def unsqueeze_as_attribute():
    g = Graph(opset=11, shape=("N", 28, 28)).add("Unsqueeze", axes=[-3]).conv(4, strides=[5, 5]).relu()
    return g.head(4 * 6 * 6)


@model
def sklearn_perceptron():
    g = Graph(shape=("N", 784)).add("MatMul", g_name := "w1").add("Add", "b1").relu().add("MatMul", "w2").add("Add", "b2")
    for name, shape in [(g_name, (784, 20)), ("b1", (1, 20)), ("w2", (20, 10)), ("b2", (1, 10))]:
        g.tensor(g.random_array(*shape, size=0.1), name)
    g.softmax(axis=1)
    index = g.node("ArgMax", [g.x], axis=1, keepdims=1)
    table = g.tensor(numpy.arange(10), "classes")
    label = g.node("ArrayFeatureExtractor", [table, index], domain="ai.onnx.ml")
    g.domains = ["ai.onnx.ml"]
    g.outputs = [(label, INT64, ["one", "batch"]), (g.x, FLOAT, ["batch", "classes"])]
    return g


# Scalings at the input, and constants of every shape.


@model
def scaled_inside():
    g = Graph(scale=1).add("Div", "d").add("Sub", "m").add("Div", "s").conv(4, pads=[1, 1, 1, 1], strides=[2, 2])
    for name, value in [("d", 255), ("m", 0.1307), ("s", 0.3081)]:
        g.tensor(numpy.array(value, numpy.float32), name)
    return g.relu().head(784)


@model
def bytes_cast():
    return Graph(element=UINT8, scale=1).add("Cast", to=FLOAT).add("Mul", "s", ).conv(4, strides=[3, 3]).relu().head(324) \
        .tensors_too(s=numpy.float32(1 / 255))


@model
def wide_bytes_cast():
    return Graph(element=TensorProto.INT32, scale=1).add("Cast", to=FLOAT).conv(4, strides=[3, 3]).relu().head(324)


@model
def inverted():
    g = Graph(scale=1)
    g.x = g.node("Sub", [g.floats(255, shape=(1, 1)), g.x])
    g.x = g.node("Mul", [g.floats(1 / 255), g.x])
    return g.conv(4, pads=[1, 1, 1, 1], strides=[2, 2]).relu().head(784)


@model
def means_of_colours():
    g = Graph(shape=("N", 3, 28, 28), scale=1)
    g.options = ["--scale", "1"]
    g.add("Sub", g.floats(100, 110, 120, shape=(3, 1, 1))).add("Div", g.floats(50, 60, 70, shape=(1, 3, 1, 1)))
    return g.conv(4, 3, pads=[1, 1, 1, 1], strides=[2, 2]).relu().head(784)


@model
def normalization_of_pixels():
    return Graph().normalize(1).conv(4, pads=[1, 1, 1, 1], strides=[2, 2]).relu().head(784)


@model
def normalization_behind_relu():
    return Graph(opset=15).conv(4).relu().normalize(4, epsilon=0.01).conv(4, 4, pads=[1, 1, 1, 1]).normalize(4).relu() \
        .pool().head(676)


@model
def normalization_of_vectors():
    return Graph().conv(4, strides=[3, 3]).relu().add("Flatten").dense(324, 16).normalize(16).relu().normalize(16).dense(16)


@model
def constants_of_every_shape():
    g = Graph().conv(4, strides=[3, 3]).relu()
    for kind, shape in [("Mul", ()), ("Add", (1,)), ("Sub", (1, 1, 1)), ("Div", (1, 1, 1, 1)), ("Mul", (4, 1, 1)),
                        ("Add", (1, 4, 1, 1)), ("Sub", (4, 1, 1)), ("Div", (1, 4, 1, 1))]:
        g.add(kind, g.tensor(1 + g.random.random(shape).astype(numpy.float32)))
    g.x = g.node("Sub", [g.weights(4, 1, 1), g.x])
    g.add("Flatten").add("Gemm", g.weights(324, 10, size=0.05))
    for kind, shape in [("Mul", (10,)), ("Add", (1, 10)), ("Sub", (10,)), ("Div", (1, 1)), ("Mul", (1,))]:
        g.add(kind, g.tensor(1 + g.random.random(shape).astype(numpy.float32)))
    g.x = g.node("Add", [g.weights(1, 10), g.x])
    return g.softmax()


@model
def channel_constants_behind_channels_last():
    g = Graph().conv(4, strides=[3, 3]).relu().add("Transpose", perm=[0, 2, 3, 1])
    g.add("Mul", g.weights(4)).add("Add", g.weights(1, 1, 4)).add("Transpose", perm=[0, 3, 1, 2])
    return g.conv(3, 4, strides=[2, 2]).head(48)


def gemm(shape, **attributes):
    def make():
        g = Graph().add("Flatten")
        weights = g.weights(10, 784) if attributes.get("transB") else g.weights(784, 10, size=0.05)
        bias = [] if shape is None else [g.tensor(g.random_array(*shape, size=0.5))]
        return g.add("Gemm", weights, *bias, **attributes)
    return make


for number, (shape, attributes) in enumerate([
        (None, {}), ((), {"alpha": 0.5}), ((1,), {"beta": 2.0}), ((1, 10), {"alpha": -0.5, "beta": 0.25, "transB": 1}),
        ((10,), {"transA": 0, "transB": 0}), ((1, 1), {"beta": 3.0})], 1):
    MODELS[f"gemm {number}"] = gemm(shape, **attributes)


# Windows.


@model
def same_lower():
    g = Graph().conv(4, kernel=4, strides=[3, 3], auto_pad="SAME_LOWER").relu()
    return g.pool(size=3, step=2, auto_pad="SAME_LOWER").head(100)


@model
def same_upper():
    g = Graph().conv(4, kernel=4, strides=[3, 3], auto_pad="SAME_UPPER").relu()
    return g.pool(size=3, step=2, auto_pad="SAME_UPPER").head(100)


@model
def uneven_windows():
    g = Graph().add("Conv", "w", strides=[2, 1], pads=[0, 3, 2, 1], kernel_shape=[5, 2]).relu()
    g.tensor(g.random_array(4, 1, 5, 2), "w")
    return g.add("MaxPool", kernel_shape=[1, 3], strides=[1, 2]).head(4 * 13 * 15)


@model
def groups():
    return Graph().conv(4).relu().conv(6, 4, groups=2, strides=[2, 2]).relu().head(6 * 12 * 12)


@model
def pad_in_front_of_all():
    g = Graph(opset=11)
    pads = g.ints(0, 0, 1, 1, 0, 0, 1, 1)
    g.conv(4, strides=[3, 3]).add("Pad", pads).relu().pool(size=3, step=2).add("Pad", pads)
    # Into the bias comes what the zeros at the edge become.
    return g.add("Add", g.weights(4, 1, 1)).add("Pad", pads).add("Flatten").dense(4 * 9 * 9)


@model
def leaky_slopes():
    g = Graph().conv(4, strides=[3, 3]).add("LeakyRelu").add("Flatten").dense(324, 20).add("LeakyRelu", alpha=0.3)
    return g.dense(20)


@model
def convolutions_to_the_end():
    g = Graph(opset=11).conv(8, strides=[3, 3]).relu().conv(10, 8, kernel=9).softmax(axis=1)
    return g.add("Reshape", g.ints(-1, 10))


@model
def convolutions_to_the_end_with_late_softmax():
    return Graph(opset=13).conv(8, strides=[3, 3]).relu().conv(10, 8, kernel=1).add("GlobalAveragePool").softmax(axis=1) \
        .add("Flatten")


@model
def softmax_without_axis():
    g = Graph().add("Flatten").dense(784).add("Softmax")
    g.post = "probabilities"
    return g


@model
def reshapes():
    g = Graph(opset=15).conv(4, strides=[3, 3]).relu().add("Reshape", "a", allowzero=1).add("Reshape", "b")
    for name, shape in [("a", [-1, 36, 9]), ("b", [0, -1])]:
        g.tensor(numpy.array(shape, numpy.int64), name)
    return g.dense(324)


@model
def flatten_from_behind():
    g = Graph().conv(4, strides=[3, 3]).relu().add("Transpose", perm=[0, 2, 1, 3]).add("Flatten", axis=-3)
    return g.dense(324)


@model
def vector_of_pixels_made_an_image():
    g = Graph(shape=("N", 784)).add("Reshape", "s").conv(4, strides=[3, 3]).relu().head(324)
    g.tensor(numpy.array([-1, 1, 28, 28], numpy.int64), "s")
    return g


# Numbers in every form.


@model
def constant_nodes():
    g = Graph(opset=13).conv(4, strides=[3, 3]).relu()
    shape = g.node("Constant", [], value_ints=[-1, 324])
    g.add("Reshape", shape)
    g.add("Mul", g.node("Constant", [], value_float=0.5))
    weights = g.node("Constant", [], value=numpy_helper.from_array(g.random_array(10, 324)))
    return g.add("Gemm", weights, g.node("Constant", [], value_floats=[0.1 * i for i in range(10)]), transB=1)


@model
def typed_fields():
    g = Graph().conv(4, strides=[3, 3]).relu().add("Reshape", "shape").add("Gemm", "w", "b", transB=1)
    g.tensor(helper.make_tensor("shape", INT64, [2], [-1, 324]), "shape")
    g.tensor(helper.make_tensor("w", FLOAT, [10, 324], g.random_array(10, 324).flatten()), "w")
    g.tensor(helper.make_tensor("h", TensorProto.FLOAT16, [10], numpy.arange(10) / 8), "h")
    g.nodes.insert(0, helper.make_node("Cast", ["h"], ["b"], to=FLOAT))
    return g


def stored(element, dtype, raw):
    def make():
        g = Graph(opset=13).add("Flatten")
        values = g.random_array(784, 10, size=0.05).astype(dtype)
        made = numpy_helper.from_array(values) if raw else helper.make_tensor(
            "w", element, values.shape, values.flatten().astype(numpy.float64 if dtype == numpy.float64 else numpy.float32))
        return g.add("MatMul", g.node("Cast", [g.tensor(made)], to=FLOAT)).softmax()
    return make


for element, dtype in [(TensorProto.FLOAT16, numpy.float16), (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
                       (TensorProto.DOUBLE, numpy.float64)]:
    for raw in [True, False]:
        MODELS[f"weights as {numpy.dtype(dtype).name}{' raw' if raw else ''}"] = stored(element, dtype, raw)


def whole_weights(element, raw, axis, zero):
    def make():
        g = Graph(opset=21).add("Flatten")
        bounds = {TensorProto.INT8: (-127, 128), UINT8: (0, 256), TensorProto.INT4: (-8, 8), TensorProto.UINT4: (0, 16),
                  TensorProto.INT32: (-90000, 90000)}[element]
        size = 0.3 / bounds[1]
        # An odd number of columns, so that halves of a byte go on from row to row.
        values = g.random.integers(*bounds, (9, 784))
        values = values if axis == 0 else values.T.copy()
        made = helper.make_tensor("w", element, values.shape, values.flatten())
        if raw:
            made = numpy_helper.from_array(numpy_helper.to_array(made))
        scale = g.tensor((size * (1 + g.random.random(9))).astype(numpy.float32)) if axis is not None else g.floats(size, shape=())
        inputs = [g.tensor(made), scale]
        if zero is not None:
            count = 9 if axis is not None else 1
            zeros = helper.make_tensor("z", element, [9] if axis is not None else [], [zero] * count)
            inputs.append(g.tensor(zeros))
        weights = g.node("DequantizeLinear", inputs, **({} if axis is None else {"axis": axis}))
        return g.add("Gemm", weights, transB=int(axis == 0))
    return make


for element, raw, axis, zero in [
        (TensorProto.INT8, True, 0, None), (TensorProto.INT8, False, 1, 0), (UINT8, True, 1, 128), (UINT8, False, None, 120),
        (TensorProto.INT4, True, 0, None), (TensorProto.INT4, False, 1, 1), (TensorProto.UINT4, True, 0, 8),
        (TensorProto.INT32, True, None, None)]:
    form = f"{TensorProto.DataType.Name(element).lower()}{' raw' if raw else ''}, axis {axis}, zero {zero}"
    MODELS[f"weights as {form}"] = whole_weights(element, raw, axis, zero)


@model
def weights_quantised_in_the_file():
    g = Graph(opset=13).conv(4, strides=[3, 3]).relu().add("Flatten")
    scales, zeros = g.floats(*[0.002] * 10), g.tensor(numpy.zeros(10, numpy.int8))
    made = g.node("QuantizeLinear", [g.weights(10, 324), scales, zeros], axis=0)
    return g.add("Gemm", g.node("DequantizeLinear", [made, scales, zeros], axis=0), transB=1)


def rounded(element, relu):
    def make():
        g = Graph(opset=13).conv(4, strides=[3, 3])
        if relu:
            g.relu()
        dtype = numpy.uint8 if element == UINT8 else numpy.int8
        largest = 2.5
        scale = g.floats(largest / (255 if element == UINT8 else 127), shape=())
        zero = g.tensor(numpy.array(0, dtype))
        g.add("QuantizeLinear", scale, zero).add("DequantizeLinear", scale, zero).head(324)
        g.tolerance = ROUNDED
        return g
    return make


# In the second one what is below 0 is cut off by the rounding.
MODELS["values as int8"] = rounded(TensorProto.INT8, True)
MODELS["values as uint8"] = rounded(UINT8, True)
MODELS["values as uint8 without relu"] = rounded(UINT8, False)


@model
def quantised_input():
    g = Graph(opset=13, element=UINT8, scale=1)
    g.add("DequantizeLinear", g.floats(1 / 255, shape=()), g.tensor(numpy.array(3, numpy.uint8)))
    return g.conv(4, strides=[3, 3]).relu().head(324)


# Outputs.


@model
def features_as_well():
    g = Graph().conv(4, strides=[3, 3]).relu().add("Flatten").dense(324, 16).relu()
    features = g.x
    g.dense(16).softmax()
    g.outputs = [(features, FLOAT, ["batch", "features"]), (g.x, FLOAT, ["batch", "classes"])]
    return g


@model
def label_alone():
    g = Graph().conv(4, strides=[3, 3]).relu().add("Flatten").dense(324)
    g.x = g.node("ArgMax", [g.x], axis=-1, keepdims=0)
    g.outputs, g.post = [(g.x, INT64, ["batch"])], "label"
    return g


@model
def branch_that_nothing_needs():
    g = Graph().conv(4, strides=[3, 3]).relu()
    g.node("Sigmoid", [g.x])
    return g.head(324)


# What is refused, and the words that the error has to have.


def plain():
    return Graph().conv(4, strides=[3, 3]).relu().head(324)


@refused("node 4 'n3' (Add)")
def residual():
    g = Graph().conv(4, pads=[1, 1, 1, 1]).relu()
    left = g.x
    g.conv(4, 4, pads=[1, 1, 1, 1]).add("Add", left)
    return g.head(4 * 784)


@refused("node 2 'n1' (Sigmoid)")
def sigmoid():
    return Graph().conv(4, strides=[3, 3]).add("Sigmoid").head(324)


@refused("node 1 'n0' (Conv)")
def dilated():
    return Graph().conv(4, dilations=[2, 2]).relu().head(4 * 24 * 24)


@refused("(LSTM)")
def recurrent():
    g = Graph(shape=("N", 28, 28)).add("Transpose", perm=[0, 1, 2])
    g.add("LSTM", g.weights(1, 32, 28), g.weights(1, 32, 8), hidden_size=8)
    return g.add("Flatten").dense(8)


@refused("node 2 'n1' (Add)")
def bias_of_positions():
    g = Graph().conv(4).add("Add", "b").relu()
    g.tensor(g.random_array(1, 4, 26, 26), "b")
    return g.head(4 * 26 * 26)


@refused("node 1 'n0' (Sub)")
def mean_picture():
    g = Graph().add("Sub", "m").conv(4)
    g.tensor(g.random_array(28, 28), "m")
    return g.relu().head(4 * 26 * 26)


@refused("node 1 'n0' (Div): expected arithmetic with floats")
def whole_quotients():
    g = Graph(element=TensorProto.INT32)
    g.add("Div", g.tensor(numpy.array(255, numpy.int32))).add("Cast", to=FLOAT)
    return g.conv(4, strides=[3, 3]).head(324)


@refused("'com.example'")
def custom_domain():
    g = Graph().add("Relu", domain="com.example").conv(4, strides=[3, 3]).head(324)
    g.domains = ["com.example"]
    return g


@refused("'com.example'")
def custom_domain_of_constants():
    g = Graph()
    made = g.node("Add", [g.weights(4, 1, 3, 3), g.floats(1)], domain="com.example")
    g.domains = ["com.example"]
    return g.add("Conv", made).head(4 * 26 * 26)


@refused("one input, the image, found 2")
def two_inputs():
    g = plain()
    g.inputs = [helper.make_tensor_value_info("other", FLOAT, ["N", 1])]
    return g


@refused("fixed size")
def open_size():
    g = Graph(shape=("N", 1, "height", "width")).conv(4).relu().add("GlobalAveragePool").add("Flatten")
    return g.dense(4)


@refused("(MaxPool)")
def padded_pool_of_negatives():
    return Graph().conv(4).pool(pads=[1, 1, 1, 1]).head(4 * 14 * 14)


@refused("(AveragePool)")
def padded_mean():
    return Graph().conv(4).relu().pool("AveragePool", pads=[1, 1, 1, 1]).head(4 * 14 * 14)


@refused("(Pad)")
def mirrored():
    g = Graph()
    return g.add("Pad", g.ints(0, 0, 1, 1, 0, 0, 1, 1), mode="reflect").conv(4).head(4 * 784)


@refused("(Softmax)")
def softmax_of_places():
    return Graph(opset=13).conv(10, strides=[3, 3]).relu().add("Softmax", axis=2).add("GlobalAveragePool").add("Flatten")


@refused("(Div)")
def divided_constant():
    g = Graph().conv(4)
    g.x = g.node("Div", [g.floats(1), g.x])
    return g.head(4 * 26 * 26)


@refused("(Conv)")
def kernel_from_the_image():
    g = Graph(shape=(1, 1, 28, 28))
    g.x = g.node("Conv", [g.weights(1, 1, 30, 30), g.x])
    return g.add("Flatten").dense(9)


@refused("score for each class")
def scores_of_places():
    return Graph().conv(4)


@refused("finite")
def weights_that_are_none():
    g = Graph().add("Flatten").add("MatMul", "w")
    g.tensor(numpy.full((784, 10), numpy.nan, numpy.float32), "w")
    return g


@refused("another type")
def texts():
    g = Graph(element=TensorProto.STRING).add("Cast", to=FLOAT).head(784)
    return g


@refused("(Conv): expected weights inside of the file")
def external_data():
    made = plain().proto()
    onnx.external_data_helper.set_external_data(made.graph.initializer[0], "weights.bin")
    made.graph.initializer[0].ClearField("raw_data")
    made.graph.initializer[0].data_location = TensorProto.EXTERNAL
    return made


@refused("found an empty file")
def empty():
    return b""


@refused("found text, 'Not Found'")
def text():
    return b"Not Found"


@refused("no protobuf message")
def cut_off():
    return plain().proto().SerializeToString()[:-1000]


@refused("expected an ONNX model")
def another_format():
    return b"\x89PNG\r\n\x1a\n" + bytes(100)
