# SPDX-License-Identifier: BSD-3-Clause
# setup: Debian packages, the virtual environment, the Rust extension. Each part is done once and
# again when its input changes.

.PHONY: setup tools
RUST_SOURCES := Cargo.toml pyproject.toml $(wildcard Cargo.lock) $(shell find motes -type f \( -name '*.rs' -o -name '*.toml' \))

setup: tools $(VENV)/installed.lock $(STAMPS)/extension ## packages, virtual environment, Rust extension

tools:
	@scripts/setup_debian.sh

# The copy of the lock file inside .venv says what is installed there; it survives `make clean`.
$(VENV)/installed.lock: requirements.lock | tools
	@[ -x $(PYTHON) ] || python3 -m venv $(VENV)
	@echo 'setup: Python packages'
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	@cp requirements.lock $@

# --locked: the dependencies are those of Cargo.lock, nothing newer. The .so lands in
# bench/wardmote, beside the Python it belongs to.
$(STAMPS)/extension: $(RUST_SOURCES) $(VENV)/installed.lock | tools
	@mkdir -p $(@D)
	@echo 'setup: Rust extension'
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin develop --release --locked >$@.log 2>&1 || { cat $@.log >&2; exit 1; }
	@touch $@
