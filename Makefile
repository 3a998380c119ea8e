# Everything that is done to this repository by hand or by CI. `make` alone lists the targets.

# The demonstration: a small network on the digits that come with the repository.
DEMO_DATA = Data/mnist-5k
DEMO_RUN = runs/demo
DEMO_OPTIONS =

SWIFT = swift
# Numeric code is 10 to 100 times slower without optimisation, so the tests run optimised as well.
TEST_OPTIONS = -c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
SWIFT_SOURCES = Sources Tests Package.swift

.PHONY: help set-up build demo test lint format clean

help: ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1 \2/p' Makefile | \
	  awk '{ printf "  %s %-12s", $$1, $$2; $$1 = $$2 = ""; print }'

set-up:
	@Scripts/set-up.sh

build: set-up ## Build the programs, optimised, into .build/release
	$(SWIFT) build -c release

demo: build ## Train on 4,000 digits and evaluate on 1,000 others
	rm -rf "$(DEMO_RUN)"
	.build/release/inkling-train --data "$(DEMO_DATA)" --output "$(DEMO_RUN)" $(DEMO_OPTIONS)
	.build/release/inkling-evaluate --model "$(DEMO_RUN)" --data "$(DEMO_DATA)"
	@echo "data      $(DEMO_DATA)"
	@echo "model     $(DEMO_RUN)"
	@echo "programs  .build/release/inkling-train, .build/release/inkling-evaluate"

test: set-up lint ## Lint, build without a warning and run every quick test
	$(SWIFT) build --build-tests $(TEST_OPTIONS)
	$(SWIFT) test $(TEST_OPTIONS)

lint: set-up ## Check the formatting of the Swift sources
	$(SWIFT) format lint --strict -r $(SWIFT_SOURCES)

format: set-up ## Format the Swift sources in place
	$(SWIFT) format -i -r $(SWIFT_SOURCES)

clean: ## Remove what was built; trained models and data stay
	rm -rf .build
