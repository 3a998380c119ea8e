"""Computes what Core ML models say, with numpy: their layers, nearest neighbours and training on the device.

Written from the format's specification and read with coremltools' protobuf classes, so that it shares nothing with the
exporter. What Apple's validator lets through is an error here: every array is brought into exactly the shape that the
file states, and a kind of layer or a setting that is not known ends the program.
"""

import pathlib

import numpy as np
# Importing coremltools on Linux says on standard error that it lacks its compiled parts; only messages are used here.
from coremltools.proto import FeatureTypes_pb2, Model_pb2

# Images at a time, so that the windows of a convolution fit into memory.
CHUNK = 50


def read(path):
    """The classifier in a file."""
    model = Model_pb2.Model()
    model.ParseFromString(pathlib.Path(path).read_bytes())
    size = model.ByteSize()
    model.DiscardUnknownFields()
    require(model.ByteSize() == size, "fields that the format does not have")
    return Pipeline(model) if model.WhichOneof("Type") == "pipelineClassifier" else Network(model)


class Network:
    """A network; `forward`, and for a classifier `predict`."""

    def __init__(self, model):
        self.model = model
        self.content = getattr(model, model.WhichOneof("Type"))
        (self.input,) = [feature.name for feature in model.description.input]
        if model.WhichOneof("Type") == "neuralNetworkClassifier":
            self.labels = list(self.content.stringClassLabels.vector)
            # Left out, it is what the last layer gives.
            self.answer = self.content.labelProbabilityLayerName or self.content.layers[-1].output[0]
        else:
            self.labels = None
            (self.answer,) = [feature.name for feature in model.description.output]
        self.layers = [LAYERS[layer.WhichOneof("layer")](layer) for layer in self.content.layers]

    def forward(self, images):
        """The values of `answer` [images, count], for pixels [images, channels, height, width]."""
        chunks = np.array_split(images, max(1, -(-len(images) // CHUNK)))
        return np.concatenate([self.blobs(chunk)[self.answer] for chunk in chunks])[:, :, 0, 0]

    def blobs(self, images):
        """What each name stands for, as [images, channels, height, width]."""
        blobs = {self.input: self.scaled(images.astype(np.float32))}
        for layer in self.layers:
            (source,), (target,) = layer.message.input, layer.message.output
            require(target not in blobs, f"{target} is given twice")
            blobs[target] = layer.forward(blobs[source])
            require(blobs[target].dtype == np.float32, f"{target} is {blobs[target].dtype}")
        return blobs

    def scaled(self, images):
        for feature in self.model.description.input:
            kind = getattr(feature.type, feature.type.WhichOneof("Type"))
            if feature.type.WhichOneof("Type") == "imageType":
                space = FeatureTypes_pb2.ImageFeatureType.ColorSpace.Name(kind.colorSpace)
                channels = {"GRAYSCALE": 1, "RGB": 3}[space]
                require(images.shape[1:] == (channels, kind.height, kind.width), f"images are {images.shape[1:]}")
        for step in self.content.preprocessing:
            # Where there is but one input, it need not be named.
            require(step.featureName in ("", self.input), f"preprocessing of {step.featureName}")
            require(step.WhichOneof("preprocessor") == "scaler", "another preprocessing")
            bias = [step.scaler.redBias, step.scaler.greenBias, step.scaler.blueBias]
            bias = [step.scaler.grayBias] if images.shape[1] == 1 else bias
            images = images * np.float32(step.scaler.channelScale) + np.float32(bias)[:, None, None]
        return images

    def predict(self, images):
        """A label for each image, and the probabilities [images, labels]."""
        probabilities = self.forward(images)
        require(probabilities.shape[1] == len(self.labels), f"{len(self.labels)} labels for {probabilities.shape[1]}")
        return [self.labels[best] for best in probabilities.argmax(1)], probabilities

    def loss(self, images, labels):
        probabilities = self.predict(images)[1]
        return float(-np.log(probabilities[np.arange(len(labels)), self.places(labels)] + 1e-30).mean())

    def places(self, labels):
        return np.array([self.labels.index(label) for label in labels])

    def update(self, images, labels, epochs=None):
        """Trains the layers that are marked, as the file says."""
        parameters, places = self.content.updateParams, self.places(labels)
        (loss,) = parameters.lossLayers
        cross_entropy = loss.categoricalCrossEntropyLossLayer
        source = self.layers[-1]
        require(self.model.isUpdatable and source.message.WhichOneof("layer") == "softmax", "no loss of a softmax")
        require(list(source.message.output) == [cross_entropy.input], "the loss takes something else")
        first = min(at for at, layer in enumerate(self.layers) if layer.message.isUpdatable)
        trained = [layer for layer in self.layers if layer.message.isUpdatable]
        optimizer = Optimizer(parameters.optimizer)
        random = np.random.default_rng(parameters.seed.defaultValue)
        for _ in range(epochs or parameters.epochs.defaultValue):
            order = random.permutation(len(images)) if parameters.shuffle.defaultValue else np.arange(len(images))
            for start in range(0, len(order), optimizer.batch):
                batch = order[start:start + optimizer.batch]
                blobs = self.blobs(images[batch])
                # Of the mean cross-entropy by what goes into the softmax.
                gradient = blobs[cross_entropy.input].copy()
                gradient[np.arange(len(batch)), places[batch]] -= 1
                gradient /= len(batch)
                for layer in reversed(self.layers[first:-1]):
                    gradient = layer.backward(blobs[layer.message.input[0]], gradient)
                for layer in trained:
                    for name, values in layer.trained.items():
                        optimizer.step((layer.message.name, name), values, layer.gradients[name])


class Optimizer:
    def __init__(self, message):
        self.kind = message.WhichOneof("OptimizerType")
        self.rule = getattr(message, self.kind)
        self.batch = self.rule.miniBatchSize.defaultValue
        self.state = {}

    def step(self, key, values, gradient):
        rate = self.rule.learningRate.defaultValue
        if self.kind == "sgdOptimizer":
            velocity = self.state.get(key, 0) * self.rule.momentum.defaultValue + gradient
            self.state[key] = velocity
            values -= np.float32(rate) * velocity
            return
        (beta1, beta2) = (self.rule.beta1.defaultValue, self.rule.beta2.defaultValue)
        mean, square, count = self.state.get(key, (0, 0, 0))
        mean, square = mean * beta1 + gradient * (1 - beta1), square * beta2 + gradient**2 * (1 - beta2)
        self.state[key] = (mean, square, count + 1)
        mean, square = mean / (1 - beta1 ** (count + 1)), square / (1 - beta2 ** (count + 1))
        values -= (rate * mean / (np.sqrt(square) + self.rule.eps.defaultValue)).astype(np.float32)


class Pipeline:
    """A network and a classifier by nearest neighbours of what it gives."""

    def __init__(self, model):
        self.model = model
        network, neighbors = model.pipelineClassifier.pipeline.models
        self.network = Network(network)
        self.neighbors = neighbors.kNearestNeighborsClassifier
        index = self.neighbors.nearestNeighborsIndex
        require(index.WhichOneof("DistanceFunction") == "squaredEuclideanDistance", "another distance")
        require(self.neighbors.WhichOneof("WeightingScheme") == "inverseDistanceWeighting", "another weighting")
        self.samples = [np.array(sample.vector, np.float32) for sample in index.floatSamples]
        self.labels = list(self.neighbors.stringClassLabels.vector)
        require(len(self.samples) == len(self.labels), "samples and labels")
        require([model.isUpdatable, network.isUpdatable, neighbors.isUpdatable] == [True, False, True], "marks")

    def embed(self, images):
        values = self.network.forward(images)
        require(values.shape[1] == self.neighbors.nearestNeighborsIndex.numberOfDimensions, f"{values.shape[1]} values")
        return values

    def update(self, images, labels):
        self.samples += list(self.embed(images))
        self.labels += labels

    def predict(self, images):
        """A label for each image, and of each a dictionary of probabilities."""
        return tuple(zip(*(self.answer(values) for values in self.embed(images))))

    def answer(self, values):
        if not self.samples:
            return self.neighbors.defaultStringLabel, {}
        distances = ((np.stack(self.samples) - values) ** 2).sum(1)
        nearest = np.argsort(distances, kind="stable")[:self.neighbors.numberOfNeighbors.defaultValue]
        votes = {}
        for index in nearest:
            votes[self.labels[index]] = votes.get(self.labels[index], 0) + 1 / (np.sqrt(distances[index]) + 1e-6)
        total = sum(votes.values())
        return max(votes, key=votes.get), {label: vote / total for label, vote in votes.items()}


# Layers. Each takes and gives [images, channels, height, width].


class Layer:
    def __init__(self, message):
        self.message = message
        self.parameters = getattr(message, message.WhichOneof("layer"))
        self.trained, self.gradients = {}, {}
        self.read(self.parameters)

    def read(self, parameters):
        pass

    def backward(self, values, gradient):
        require(False, f"no gradient of a {self.message.WhichOneof('layer')}")

    def read_weights(self, parameters, shape):
        self.weights = numbers(parameters.weights, shape)
        self.bias = numbers(parameters.bias, shape[:1]) if parameters.hasBias else np.zeros(shape[0], np.float32)
        if self.message.isUpdatable:
            require(parameters.weights.isUpdatable, "weights that are not marked")
            self.trained = {"weights": self.weights}
            if parameters.hasBias:
                require(parameters.bias.isUpdatable, "a bias that is not marked")
                self.trained["bias"] = self.bias


class Convolution(Layer):
    def read(self, parameters):
        require(parameters.WhichOneof("ConvolutionPaddingType") == "valid" and not parameters.isDeconvolution, "padding")
        require(not parameters.dilationFactor or set(parameters.dilationFactor) == {1}, "dilation")
        self.groups = max(1, parameters.nGroups)
        self.kernel, self.stride = extent(parameters.kernelSize, 3), extent(parameters.stride, 1)
        self.padding = borders(parameters.valid)
        self.read_weights(parameters, (parameters.outputChannels, parameters.kernelChannels, *self.kernel))

    def forward(self, values):
        windows = cut(np.pad(values, ((0, 0), (0, 0), *self.padding)), self.kernel, self.stride)
        count, channels, height, width = windows.shape[:4]
        inner = channels // self.groups * self.kernel[0] * self.kernel[1]
        columns = windows.transpose(1, 4, 5, 0, 2, 3).reshape(self.groups, inner, -1)
        sums = self.weights.reshape(self.groups, -1, inner) @ columns
        sums = sums.reshape(-1, count, height, width) + self.bias[:, None, None, None]
        return sums.transpose(1, 0, 2, 3)


class Pooling(Layer):
    def forward(self, values):
        require(self.parameters.type in (self.parameters.MAX, self.parameters.AVERAGE), "another kind of pool")
        reduce = np.max if self.parameters.type == self.parameters.MAX else np.mean
        if self.parameters.globalPooling:
            return reduce(values, (2, 3), keepdims=True)
        require(self.parameters.WhichOneof("PoolingPaddingType") == "valid", "padding")
        require(borders(self.parameters.valid) == [(0, 0), (0, 0)], "padding")
        windows = cut(values, extent(self.parameters.kernelSize, 3), extent(self.parameters.stride, 1))
        return reduce(windows, (4, 5))


class InnerProduct(Layer):
    def read(self, parameters):
        self.read_weights(parameters, (parameters.outputChannels, parameters.inputChannels))

    def forward(self, values):
        require(values.shape[1:] == (self.weights.shape[1], 1, 1), f"{values.shape} for {self.weights.shape}")
        return (values[:, :, 0, 0] @ self.weights.T + self.bias)[:, :, None, None]

    def backward(self, values, gradient):
        gradient = gradient[:, :, 0, 0]
        self.gradients = {"weights": gradient.T @ values[:, :, 0, 0], "bias": gradient.sum(0)}
        return (gradient @ self.weights)[:, :, None, None]


class Activation(Layer):
    def read(self, parameters):
        kind = parameters.WhichOneof("NonlinearityType")
        require(kind in ("ReLU", "leakyReLU"), f"activation {kind}")
        self.slope = np.float32(parameters.leakyReLU.alpha if kind == "leakyReLU" else 0)

    def forward(self, values):
        return np.where(values > 0, values, values * self.slope)

    def backward(self, values, gradient):
        return np.where(values > 0, gradient, gradient * self.slope)


class BatchNormalization(Layer):
    def read(self, parameters):
        require(not parameters.computeMeanVar and not parameters.instanceNormalization, "statistics")
        gamma, beta, mean, variance = (
            numbers(part, (parameters.channels, 1, 1))
            for part in (parameters.gamma, parameters.beta, parameters.mean, parameters.variance))
        self.scale = gamma / np.sqrt(variance + np.float32(parameters.epsilon or 1e-5))
        self.shift = beta - mean * self.scale

    def forward(self, values):
        return values * self.scale + self.shift

    def backward(self, values, gradient):
        return gradient * self.scale


class Bias(Layer):
    def read(self, parameters):
        # A number a channel.
        (channels,) = parameters.shape
        self.bias = numbers(parameters.bias, (channels, 1, 1))

    def forward(self, values):
        require(len(self.bias) == values.shape[1], f"{values.shape} for {len(self.bias)} numbers")
        return values + self.bias


class Softmax(Layer):
    def forward(self, values):
        powers = np.exp(values - values.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)


class Flatten(Layer):
    def forward(self, values):
        if self.parameters.mode == self.parameters.CHANNEL_LAST:
            values = values.transpose(0, 2, 3, 1)
        return values.reshape(len(values), -1, 1, 1)

    def backward(self, values, gradient):
        require(self.parameters.mode == self.parameters.CHANNEL_FIRST, "no gradient of this order")
        return gradient.reshape(values.shape)


LAYERS = {
    "convolution": Convolution, "pooling": Pooling, "innerProduct": InnerProduct, "activation": Activation,
    "batchnorm": BatchNormalization, "bias": Bias, "softmax": Softmax, "flatten": Flatten,
}


def numbers(weights, shape):
    """The numbers of weights, of which there must be as many as the shape has."""
    if len(weights.floatValue):
        require(not weights.float16Value and not weights.rawValue, "weights stored twice")
        return np.array(weights.floatValue, np.float32).reshape(shape)
    if weights.float16Value:
        require(not weights.rawValue, "weights stored twice")
        return np.frombuffer(weights.float16Value, "<f2").astype(np.float32).reshape(shape)
    bits = weights.quantization.numberOfBits
    stored = np.unpackbits(np.frombuffer(weights.rawValue, np.uint8))
    count = int(np.prod(shape))
    require(len(stored) == -(-count * bits // 8) * 8, f"{len(stored)} bits for {count} numbers of {bits}")
    whole = stored[:count * bits].reshape(count, bits) @ (1 << np.arange(bits)[::-1])
    linear = weights.quantization.linearQuantization
    scale, bias = (np.array(part, np.float32).reshape(-1, 1) for part in (linear.scale, linear.bias))
    require(len(scale) in (1, shape[0]) and len(bias) in (0, len(scale)), f"{len(scale)} scales")
    values = whole.reshape(shape[0], -1).astype(np.float32) * scale
    return (values + bias if len(bias) else values).reshape(shape)


def extent(sides, otherwise):
    return tuple(sides) or (otherwise, otherwise)


def borders(valid):
    """Rows of zeros before and after, and columns."""
    amounts = valid.paddingAmounts.borderAmounts
    require(len(amounts) in (0, 2), f"{len(amounts)} border amounts")
    return [(edge.startEdgeSize, edge.endEdgeSize) for edge in amounts] or [(0, 0), (0, 0)]


def cut(values, kernel, stride):
    """Windows, [images, channels, rows, columns, kernel height, kernel width]."""
    windows = np.lib.stride_tricks.sliding_window_view(values, kernel, (2, 3))
    return windows[:, :, ::stride[0], ::stride[1]]


def require(condition, message):
    if not condition:
        raise SystemExit(f"coreml_interpreter: {message}")
