# SPDX-License-Identifier: BSD-3-Clause

.PHONY: test test-rust test-python
test: setup check test-rust test-python ## checkers, Rust tests, Python tests (vectors on host and MSP430, interop, bench)

# Optimised: the instruction streams that are compared with mspdebug are long.
test-rust: tools
	cargo test --quiet --locked --workspace --release

test-python: setup stack firmware
	@$(MAKE) $(REPORT)/rows.json
	$(PYTHON) -m pytest
