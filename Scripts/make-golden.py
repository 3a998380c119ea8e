#!/usr/bin/env python3
"""Makes Tests/TrainingTests/Golden/networks.json: what PyTorch makes of small networks in ten training steps.

usage: make-golden.py        (first: pip install torch numpy)

Everything is computed in float64, so that the tests measure Inkling's error alone. Weights, pixels and labels
come from an integer hash that the tests compute as well; the file holds the cases and their results.

ReLU and max-pool have kinks: a value that float32 puts on the other side of one changes the gradient by far
more than rounding does. So each case takes the first seed with which no value comes near a kink.
"""

import json
import math
import os
import textwrap

import torch
import torch.nn.functional as F

STEPS = 10
# The distance from a kink that is kept; several times float32's error in activations of about 1.
MARGIN = 1e-5
DESTINATION = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "Tests", "TrainingTests", "Golden", "networks.json")


def case(name, input, layers, images, batch, rule, rate, schedule=["constant"], warm_up=0, decay=0, clip=None,
         smoothing=0, weights=None):
    """A row of the table; the keys are the properties of GoldenCase in the tests."""
    return {
        "name": name, "input": input, "layers": layers, "images": images, "batchSize": batch, "rule": rule,
        "weightDecay": decay, "gradientClip": clip, "schedule": schedule, "learningRate": rate,
        "warmUpEpochs": warm_up, "labelSmoothing": smoothing, "classWeights": weights}


# 37 images are three shards, of 16, 16 and 5. Adam turns even the smallest derivative into a whole step, so
# its cases hold no parameter that a batch normalisation cancels, such as the bias of a layer just before one.
CASES = [
    case("LeNet with momentum", [1, 10, 10],
         "conv 5x5 4, relu, maxpool 2, conv 2x2 8, relu, maxpool 2, dense 16, relu, dense 12, relu, dense 5",
         37, 37, ["sgd", 0.9], 0.1),
    case("Nesterov, decay, clipping, warm-up, cosine and short last batches", [3, 13, 11],
         "conv 3x3 6, relu, maxpool 3 stride 2, conv 2x3 8, relu, flatten, dense 6",
         40, 16, ["nesterov", 0.9], 0.05, ["cosine"], warm_up=1, decay=0.1, clip=0.8),
    case("MLP with Adam and L2", [1, 6, 6], "dense 24, relu, dense 10",
         37, 16, ["adam", 0.9, 0.999, 1e-8], 0.01, decay=0.1),
    case("MLP with AdamW, clipping and one cycle", [1, 6, 5],
         "dense 20, leakyrelu 0.2, dense 16, leakyrelu, dense 4",
         37, 37, ["adamW", 0.8, 0.99, 1e-6], 0.02, ["oneCycle"], decay=0.5, clip=0.25),
    case("odd kernels, strides and sides", [2, 9, 7],
         "conv 3x3 6 stride 2 same, leakyrelu 0.1, conv 5x3 8 same, leakyrelu, avgpool 2, dense 3",
         20, 20, ["sgd", 0.9], 0.05),
    case("even kernels and odd zeros", [1, 10, 7],
         "conv 2x2 4 same, relu, conv 4x4 6 stride 2 same, relu, conv 2x4 4 stride 2x1 same, relu, "
         "conv 1x1 6 stride 2 same, relu, dense 4",
         20, 20, ["sgd", 0.9], 0.05),
    case("groups and depthwise", [4, 8, 8],
         "conv 3x3 8 groups 2, relu, depthwise 3x3 stride 2 same, relu, conv 1x1 6, relu, "
         "globalavgpool, dense 5",
         20, 20, ["nesterov", 0.9], 0.05),
    case("batch normalisation after convolution", [2, 8, 7],
         "conv 3x3 6, batchnorm, relu, maxpool 2, conv 3x2 8 same nobias, batchnorm, relu, "
         "globalavgpool, dense 4",
         37, 37, ["sgd", 0.9], 0.05, decay=0.1),
    case("batch normalisation in front and after dense", [2, 4, 4],
         "batchnorm, relu, dense 16 nobias, batchnorm, relu, dense 12 nobias, batchnorm, "
         "leakyrelu 0.1, dense 5",
         40, 24, ["adam", 0.9, 0.999, 1e-8], 0.01),
    case("smoothing, class weights and steps", [1, 9, 9],
         "conv 3x3 4, relu, avgpool 2x3 stride 1x2, dense 3",
         20, 16, ["sgd", 0], 0.1, ["step", 2, 0.5], smoothing=0.1, weights=[0.5, 1, 2.25]),
]


def float32(value):
    """A setting as Inkling holds it; 1 - 0.999 would differ in the fifth digit."""
    return torch.tensor(value, dtype=torch.float32).item()


def noise(stream, index):
    """A multiple of 2^-16 from -1/2 to below 1/2, exact in float32."""
    bits = stream * 0x10001 + index + 1
    for _ in range(3):
        bits = (bits ^ bits >> 15) * 0x9E3779B1 & 0xFFFFFFFF
    return (bits >> 16) / 65536 - 0.5


class Network:
    def __init__(self, case, seed):
        self.trainable, self.state, self.layers = [], [], []
        self.margin = math.inf
        x = torch.zeros(1, *case["input"])
        with torch.no_grad():
            for text in case["layers"].split(","):
                words = text.split()
                self.layers.append(getattr(self, words[0])(x.shape, *words[1:]))
                x = self.layers[-1](x, False)
            index = 0
            for name, tensor in self.trainable + self.state:
                values = [noise(3 * seed, index + i) for i in range(tensor.numel())]
                tensor.copy_(spread(name, torch.tensor(values).reshape(tensor.shape)))
                index += tensor.numel()
        self.margin = math.inf

    def run(self, x, training):
        for layer in self.layers:
            x = layer(x, training)
        return x.flatten(1)

    def flat(self):
        return torch.cat([tensor.detach().flatten() for _, tensor in self.trainable + self.state])

    def parameter(self, name, *shape):
        self.trainable.append((name, torch.zeros(*shape, requires_grad=True)))
        return self.trainable[-1][1]

    def statistic(self, name, *shape):
        self.state.append((name, torch.zeros(*shape)))
        return self.state[-1][1]

    def conv(self, shape, kernel, filters, *options):
        options = list(options)
        stride = extent(options[options.index("stride") + 1]) if "stride" in options else (1, 1)
        groups = int(options[options.index("groups") + 1]) if "groups" in options else 1
        weight = self.parameter("weight", int(filters), shape[1] // groups, *extent(kernel))
        bias = None if "nobias" in options else self.parameter("bias", int(filters))
        zeros = [0, 0, 0, 0]
        if "same" in options:
            # Outputs are sides / strides, rounded up; the odd zero goes to the bottom and the right.
            needed = [max(0, (-(-side // step) - 1) * step + k - side)
                      for side, step, k in zip(shape[2:], stride, extent(kernel))]
            zeros = [needed[1] // 2, needed[1] - needed[1] // 2, needed[0] // 2, needed[0] - needed[0] // 2]
        return lambda x, _: F.conv2d(F.pad(x, zeros), weight, bias, stride, groups=groups)

    def depthwise(self, shape, kernel, *options):
        return self.conv(shape, kernel, shape[1], "groups", shape[1], *options)

    def dense(self, shape, outputs, *options):
        weight = self.parameter("weight", int(outputs), math.prod(shape))
        bias = None if "nobias" in options else self.parameter("bias", int(outputs))
        return lambda x, _: F.linear(x.flatten(1), weight, bias)

    def batchnorm(self, shape):
        scale, shift = self.parameter("scale", shape[1]), self.parameter("shift", shape[1])
        mean = self.statistic("runningMean", shape[1])
        variance = self.statistic("runningVariance", shape[1])
        return lambda x, training: F.batch_norm(x, mean, variance, scale, shift, training, 0.1, 1e-5)

    def relu(self, shape):
        return self.leakyrelu(shape, 0)

    def leakyrelu(self, shape, slope=0.01):
        slope = float32(float(slope))

        def layer(x, _):
            self.margin = min(self.margin, x.detach().abs().min().item())
            return F.leaky_relu(x, slope)
        return layer

    def maxpool(self, shape, kernel, *options):
        kernel, stride = extent(kernel), extent(options[1] if options else kernel)

        def layer(x, _):
            windows = x.detach().unfold(2, kernel[0], stride[0]).unfold(3, kernel[1], stride[1]).flatten(4)
            first, second = windows.topk(2).values.unbind(-1)
            # Where ReLU left nothing but zeros, it also stops the gradient.
            self.margin = min([self.margin, *(first - second)[first != 0].tolist()])
            return F.max_pool2d(x, kernel, stride)
        return layer

    def avgpool(self, shape, kernel, *options):
        kernel, stride = extent(kernel), extent(options[1] if options else kernel)
        return lambda x, _: F.avg_pool2d(x, kernel, stride)

    def globalavgpool(self, shape):
        return lambda x, _: x.mean((2, 3))

    def flatten(self, shape):
        return lambda x, _: x.flatten(1)


def extent(text):
    sides = [int(side) for side in text.split("x")]
    return sides[0], sides[-1]


def spread(name, noise):
    if name == "weight":
        # The largest power of two that keeps the variance within 2 / fan-in, as for ReLU.
        size, fan_in = 4.0, noise.numel() // noise.shape[0]
        while size * size * fan_in > 24:
            size /= 2
        return size * noise
    return noise / 2 + (1 if name in ("scale", "runningVariance") else 0)


def learning_rate(case, step, steps_per_epoch, epochs):
    """Schedule.swift's definition once more."""
    rate, (shape, *settings) = case["learningRate"], case["schedule"]
    warm_up = case["warmUpEpochs"] * steps_per_epoch
    if step < warm_up:
        first = rate / 25 if shape == "oneCycle" else rate
        return first * (step + 1) / (warm_up + 1)
    progress = (step - warm_up) / (steps_per_epoch * epochs - warm_up)

    def half_cosine(start, end, progress):
        return end + (start - end) * (1 + math.cos(math.pi * progress)) / 2

    match shape:
        case "step":
            return rate * settings[1] ** ((step - warm_up) // (settings[0] * steps_per_epoch))
        case "cosine":
            return half_cosine(rate, 0, progress)
        case "oneCycle" if progress < 0.3:
            return half_cosine(rate / 25, rate, progress / 0.3)
        case "oneCycle":
            return half_cosine(rate, rate * 1e-4, (progress - 0.3) / 0.7)
    return rate


def make_optimizer(case, network):
    kind, *settings = case["rule"]
    settings = [float32(value) for value in settings]
    weights = {"params": [tensor for name, tensor in network.trainable if name == "weight"]}
    others = {"params": [tensor for name, tensor in network.trainable if name != "weight"], "weight_decay": 0}
    if kind in ("sgd", "nesterov"):
        # Its own decay is an L2 term; Inkling's is decoupled and applied by train().
        return torch.optim.SGD([weights, others], momentum=settings[0], nesterov=kind == "nesterov")
    rule = {"adam": torch.optim.Adam, "adamW": torch.optim.AdamW}[kind]
    return rule([{**weights, "weight_decay": float32(case["weightDecay"])}, others], betas=settings[:2],
                eps=settings[2])


def train(case, seed):
    """The case's results, and how near a value came to a kink."""
    network = Network(case, seed)
    optimizer = make_optimizer(case, network)
    count, size, shape = case["images"], case["batchSize"], case["input"]
    pixels = torch.tensor([noise(3 * seed + 1, i) + 0.5 for i in range(count * math.prod(shape))])
    pixels = pixels.reshape(count, *shape)
    with torch.no_grad():
        classes = network.run(pixels[:1], False).shape[1]
    network.margin = math.inf
    labels = torch.tensor([int((noise(3 * seed + 2, i) + 0.5) * classes) for i in range(count)])
    weights = torch.tensor(case["classWeights"]) if case["classWeights"] else None
    loss_function = torch.nn.CrossEntropyLoss(weights, label_smoothing=float32(case["labelSmoothing"]))
    steps_per_epoch = -(-count // size)
    epochs = -(-STEPS // steps_per_epoch)
    losses = []
    for step in range(STEPS):
        start = step % steps_per_epoch * size
        loss = loss_function(network.run(pixels[start:start + size], True), labels[start:start + size])
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        gradients = [tensor.grad for _, tensor in network.trainable]
        norm = torch.cat([gradient.flatten() for gradient in gradients]).norm().item()
        if case["gradientClip"] and norm > case["gradientClip"]:
            for gradient in gradients:
                gradient *= case["gradientClip"] / norm
        rate = learning_rate(case, step, steps_per_epoch, epochs)
        for group in optimizer.param_groups:
            group["lr"] = rate
        if case["rule"][0] in ("sgd", "nesterov"):
            with torch.no_grad():
                for weight in optimizer.param_groups[0]["params"]:
                    weight *= 1 - rate * case["weightDecay"]
        optimizer.step()
    margin = network.margin
    with torch.no_grad():
        logits = network.run(pixels, False)
    return {"losses": losses, "values": network.flat().tolist(), "logits": logits.flatten().tolist()}, margin


def lines(case):
    """One case as JSON; results with 9 digits, more than float32 can hold."""
    parts = []
    for key, value in case.items():
        if key in ("losses", "values", "logits"):
            numbers = ", ".join(f"{number:.9g}" for number in value)
            value = "[\n" + textwrap.fill(numbers, 110, initial_indent="  ", subsequent_indent="  ") + "]"
        else:
            value = json.dumps(value)
        parts.append(f'"{key}": {value}')
    return "{" + ",\n".join(parts) + "}"


def main():
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    texts = []
    for case in CASES:
        seed, margin = 0, 0
        while margin < MARGIN:
            seed += 1
            results, margin = train(case, seed)
        print(f"{case['name']}: seed {seed}, {margin:.1e} from a kink, "
              f"loss {results['losses'][0]:.4f} to {results['losses'][-1]:.4f}")
        texts.append(lines({**case, "seed": seed, **results}))
    with open(DESTINATION, "w") as file:
        file.write("[" + ",\n".join(texts) + "]\n")


if __name__ == "__main__":
    main()
