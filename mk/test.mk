# SPDX-License-Identifier: BSD-3-Clause

.PHONY: test test-rust test-python
test: setup check test-rust test-python fuzz-brief coverage
test: ## checkers, Rust and Python tests, fuzz corpora and a short run, coverage

# Optimised: the instruction streams that are compared with mspdebug are long.
test-rust: tools
	cargo test --quiet --locked --workspace --release

test-python: setup stack firmware fuzz-targets wheel
	@$(MAKE) $(REPORT)/rows.json
	@$(PYTHON) -m tests.wycheproof || [ "$${CI:-}" != true ] # what needs them is skipped on a laptop
	$(PYTHON) -m pytest

.PHONY: foreign
foreign: setup stack ## the stack against vector files of other projects, VECTORS=FOLDER
	@$(PYTHON) -m tests.foreign '$(VECTORS)'

.PHONY: cuts
CUTS ?= 10000
cuts: setup firmware
cuts: ## power cuts of an emulated TelosB that keeps its counters in flash, and of stores on other media, CUTS=10000 of each
	@$(PYTHON) -m tests.firmware.power_cuts --cuts $(CUTS)
	@$(PYTHON) -m tests.stack.store.cuts --cuts $(CUTS)

.PHONY: mutants
MUTANTS ?= 100
MUTANT_SEED ?= 12
mutants: setup stack
mutants: ## MUTANTS=100 small defects in link, mode and store, drawn by MUTANT_SEED=12: which of them the tests notice
	@$(PYTHON) -m tests.mutants --count $(MUTANTS) --seed $(MUTANT_SEED)
