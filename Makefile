# Everything that is done to this repository by hand or by CI. `make` alone lists the targets.

# The demonstration: a small network on the digits that come with the repository.
DEMO_DATA = Data/mnist-5k
DEMO_RUN = runs/demo
DEMO_OPTIONS = --preset lenet5 --epochs 30 --augment standard

# What `make embedded` puts into a microcontroller's flash.
MODEL = $(DEMO_RUN)/digits.ink

SWIFT = swift
PYTHON = python3
# Optimised, since numeric code is 10 to 100 times slower without; in a folder of its own, since other options in
# .build would have everything compiled anew with each change between `make test` and `make build`.
TEST_OPTIONS = --scratch-path .build/tests -c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
SWIFT_SOURCES = Sources Tests Package.swift

.PHONY: help set-up build demo test bench-training bench-inference bench-onnxruntime bench-export bench-ink digits \
  docs golden golden-ink golden-drawings fuzz lint format test-scripts test-package test-pages test-draw \
  test-tensorboard test-interchange test-readme test-docs test-embedded wasm draw draw-wasm embedded mnist fashion \
  clean

help: ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1 \2/p' Makefile | \
	  awk '{ printf "  %s %-18s", $$1, $$2; $$1 = $$2 = ""; print }'

set-up:
	@Scripts/set-up.sh

build: set-up ## Build the programs, optimised, into .build/release
	$(SWIFT) build -c release

demo: build ## Train on 4,000 digits, evaluate on 1,000 others, export, benchmark
	rm -rf "$(DEMO_RUN)"
	.build/release/inkling-train --data "$(DEMO_DATA)" --output "$(DEMO_RUN)" $(DEMO_OPTIONS)
	.build/release/inkling-evaluate --model "$(DEMO_RUN)" --data "$(DEMO_DATA)" --report "$(DEMO_RUN)/evaluation.html"
	.build/release/inkling-export --model "$(DEMO_RUN)" --output "$(DEMO_RUN)/digits.ink" --weights int8 \
	  --calibrate "$(DEMO_DATA)"
	.build/release/inkling-evaluate --model "$(DEMO_RUN)/digits.ink" --data "$(DEMO_DATA)" --mistakes 0
	.build/release/inkling-benchmark --model "$(DEMO_RUN)/digits.ink" --seconds 0.5
	@echo "data      $(DEMO_DATA)"
	@echo "model     $(DEMO_RUN), for use $(DEMO_RUN)/digits.ink"
	@echo "report    $(DEMO_RUN)/evaluation.html"
	@echo "programs  inkling-train, -evaluate, -export, -predict, -benchmark, -dataset, -info in .build/release"

test: set-up lint test-scripts ## Lint, build without a warning and run every quick test
	$(SWIFT) build --build-tests $(TEST_OPTIONS)
	$(SWIFT) test --skip-build $(TEST_OPTIONS)

wasm: set-up ## Build inkling.wasm, with SIMD and without, and draw.wasm into .build/wasm
	Scripts/build-wasm.sh

draw: build ## Write the page to draw on and open it (MODEL=lenet5.ink for another network than Inkling's own)
	Scripts/draw.sh $(if $(filter file,$(origin MODEL)),,"$(MODEL)")

draw-wasm: set-up ## Build the page's draw.wasm anew, from the sources of Ink and Inference; it is committed
	Scripts/build-wasm.sh draw
	cp .build/wasm/draw.wasm Sources/Interchange/WebPage/Resources/draw.wasm

embedded: build $(MODEL) ## Run a network on a Cortex-M4 in QEMU, on 1,000 digits (MODEL=lenet5.ink for another one)
	Scripts/run-embedded.sh "$(MODEL)" "$(DEMO_DATA)"

$(DEMO_RUN)/digits.ink:
	$(MAKE) demo

bench-training: set-up ## Measure training: images/s, and where the time goes (OPTIONS="--json ...")
	$(SWIFT) build -c release --product benchmark-training
	.build/release/benchmark-training $(OPTIONS)

bench-inference: build ## Measure inference: each preset, with weights of each type, on each instruction set
	Scripts/bench-inference.sh

bench-onnxruntime: build ## Measure inference beside ONNX Runtime, by turns
	"$$(PYTHON="$(PYTHON)" Scripts/interchange-environment.sh)" -B Scripts/bench-onnxruntime.py .build/release

bench-export: build ## Measure how long the preset cnn takes to be written in each format
	python3 -B Scripts/bench-export.py .build/release

docs: set-up ## Build the documentation of the library, with DocC, into .build/docs
	Scripts/make-docs.sh

golden: ## Work out the tests' reference values again; needs PyTorch
	$(PYTHON) Scripts/make-golden.py

golden-ink: set-up ## Write the tests' .ink files again; those of a released version stay as they are
	INKLING_WRITE_GOLDEN=1 $(SWIFT) test $(TEST_OPTIONS) --filter GoldenFilesTests

golden-drawings: ## Work out the pictures of drawings that tests hold Ink to again
	$(PYTHON) -B Scripts/make-golden-drawings.py

fuzz: set-up ## Fuzz the readers of .ink, ONNX and weight files for a minute each (SUBJECT=models SECONDS=600)
	Scripts/fuzz.sh $(or $(SUBJECT),all) $(or $(SECONDS),60)

lint: set-up ## Check the formatting of the Swift sources
	$(SWIFT) format lint --strict -r $(SWIFT_SOURCES)

format: set-up ## Format the Swift sources in place
	$(SWIFT) format -i -r $(SWIFT_SOURCES)

test-scripts: set-up ## Test the scripts
	python3 -B Scripts/test-fetch-mnist.py
	python3 -B Scripts/test-read-ink.py

test-package: build ## Build a package that uses only Inference, without flags or libraries, and predict a digit
	Scripts/test-package.sh

test-embedded: build ## Hold WebAssembly and a Cortex-M4 against this machine, on 1,000 digits (two minutes)
	Scripts/test-embedded.sh

test-pages: build ## Look at the HTML reports in headless Chromium
	Scripts/test-pages.sh

test-draw: build ## Draw digits on the page to draw on in headless Chromium, and use all its tools (two minutes)
	Scripts/test-draw.sh

test-readme: set-up ## Follow README.md in a fresh clone, block by block (some minutes)
	Scripts/test-readme.sh

test-tensorboard: build ## Have TensorBoard read the event files of a run that was stopped (half a minute)
	PYTHON="$(PYTHON)" Scripts/test-tensorboard.sh

test-interchange: build ## Have ONNX Runtime and others read exported models, on 1,000 digits (some minutes)
	PYTHON="$(PYTHON)" Scripts/test-interchange.sh

test-docs: set-up ## Run the Swift examples of README.md and of the documentation (a minute or two)
	python3 -B Scripts/test-examples.py

digits: build ## Train Data/models/digits.ink again, on MNIST and practice drawings (a quarter of an hour; fetches the data)
	Scripts/fetch-mnist.sh
	Scripts/link-fashion-mnist.sh
	Scripts/make-digits-model.sh

bench-ink: set-up ## Measure the way from a drawing or a picture to a label
	$(SWIFT) build -c release --product benchmark-ink
	.build/release/benchmark-ink

mnist: set-up ## Fetch MNIST (60,000 + 10,000 digits, 11 MB) into Data/mnist
	Scripts/fetch-mnist.sh

fashion: set-up ## Put Fashion-MNIST (Debian's package, 31 MB) into Data/fashion-mnist
	Scripts/link-fashion-mnist.sh

clean: ## Remove what was built; trained models and data stay
	rm -rf .build
