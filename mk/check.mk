# SPDX-License-Identifier: BSD-3-Clause
# check: formatters, linters, types, the project's own rules, and no warning from any compiler. A
# stamp per part: what did not change is not checked again.

.PHONY: check format check-c check-hdl check-rust check-python check-rules check-warnings
C_FILES := $(shell find stack firmware bench host bindings tests examples -type f \( -name '*.c' -o -name '*.h' \))
PYTHON_FILES := $(shell find bench scripts tests examples vectors -type f \( -name '*.py' -o -name '*.pyi' \))
HDL_FILES := $(shell find hdl -type f -name '*.vhd')
ALL_FILES := $(shell find stack firmware hdl motes bench host bindings vectors published tests scripts mk \
               examples docs -type f -not -path '*/__pycache__/*' -not -name '*.so')

# The crate of the stack has its own build folder, so that the motes' crates are not rebuilt for it.
BINDINGS := $(CURDIR)/$(BUILD)/bindings
BINDING_SOURCES := $(shell find bindings -type f) $(shell find stack/include stack/src stack/small -type f)

check: setup ## formatters, linters, types, arrows, warnings as errors
	@$(MAKE) $(JOBS) --output-sync=target check-c check-hdl check-rust check-python check-rules \
	  check-warnings reference

check-c: $(STAMPS)/check-c
$(STAMPS)/check-c: $(C_FILES) .clang-format
	@mkdir -p $(@D)
	@echo 'check: format of C'
	@clang-format-22 --dry-run -Werror $(C_FILES)
	@touch $@

check-hdl: $(STAMPS)/check-hdl
$(STAMPS)/check-hdl: $(HDL_FILES) hdl/vsg.yaml $(VENV)/installed.lock
	@mkdir -p $(@D)
	@echo 'check: VHDL'
	@$(VENV)/bin/vsg --configuration hdl/vsg.yaml --output_format syntastic --filename $(HDL_FILES)
	@touch $@

check-rust: $(STAMPS)/check-rust
$(STAMPS)/check-rust: $(RUST_SOURCES) $(BINDING_SOURCES) rustfmt.toml
	@mkdir -p $(@D)
	@echo 'check: Rust'
	@cargo fmt --all --check
	@cargo clippy --quiet --locked --workspace --all-targets --release -- -D warnings
	@cargo fmt --manifest-path bindings/rust/Cargo.toml --check
	@CARGO_TARGET_DIR=$(BINDINGS) cargo clippy --quiet --locked --all-targets \
	  --manifest-path bindings/rust/Cargo.toml -- -D warnings
	@touch $@

check-python: $(STAMPS)/check-python
$(STAMPS)/check-python: $(PYTHON_FILES) pyproject.toml $(VENV)/installed.lock
	@mkdir -p $(@D)
	@echo 'check: Python'
	@$(VENV)/bin/ruff format --check --quiet bench scripts tests examples vectors
	@$(VENV)/bin/ruff check --quiet bench scripts tests examples vectors
	@$(VENV)/bin/mypy --no-error-summary
	@$(VENV)/bin/mypy --no-error-summary --package bench.targets
	@touch $@

check-rules: $(STAMPS)/check-rules
$(STAMPS)/check-rules: $(ALL_FILES) Cargo.toml $(VENV)/installed.lock
	@mkdir -p $(@D)
	@echo 'check: arrows, licence lines, lengths, vector files, the stack alone'
	@$(PYTHON) -m scripts.check_arrows
	@$(PYTHON) -m scripts.check_files
	@$(PYTHON) -m scripts.check_stack
	@touch $@

format: setup ## rewrite C, Rust and Python the way check wants them
	clang-format-22 -i $(C_FILES)
	cargo fmt --all
	cargo fmt --manifest-path bindings/rust/Cargo.toml
	$(VENV)/bin/ruff check --quiet --fix bench scripts tests examples vectors
	$(VENV)/bin/ruff format --quiet bench scripts tests examples vectors

# The stack by every host compiler, at every optimisation (warnings differ with it), 64 and 32 bits
# wide: four of the twelve, that have each of these, or all with LONG=1. The MSP430 is built by mk/archives.mk.
WARNING_ALL := $(foreach cc,gcc clang-22,$(foreach opt,-O0 -Os -O2,$(foreach width,-m32 -m64,$(cc)/$(opt)/$(width))))
WARNING_SOME := gcc/-O2/-m64 gcc/-Os/-m32 clang-22/-O2/-m32 clang-22/-O0/-m64
WARNING_FLAGS := -std=c11 -ffreestanding -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -Istack/include
STACK_SOURCES := $(wildcard stack/src/*/*.c stack/small/*.c stack/check/*.c)
STACK_HEADERS := $(shell find stack/include stack/src -name '*.h')

define warning_rules # compiler/optimisation/width
check-warnings: $(patsubst stack/%.c,$(BUILD)/warnings/$(1)/%.o,$(STACK_SOURCES))
$(BUILD)/warnings/$(1)/%.o: stack/%.c $(STACK_HEADERS) mk/check.mk
	@mkdir -p $$(@D)
	@$(subst /, ,$(1)) $$(WARNING_FLAGS) $$(if $$(findstring /small/,$$<),-DWM_FORM_SMALL) -DWM_SELF_TEST -c $$< -o $$@
endef
$(foreach one,$(if $(LONG),$(WARNING_ALL),$(WARNING_SOME)),$(eval $(call warning_rules,$(one))))

# What `wardmote frame` runs on this machine, which its own Makefile builds with gcc: by the other
# compiler too.
check-warnings: $(patsubst bench/native/%.c,$(BUILD)/warnings/native/%.o,$(wildcard bench/native/*.c))
$(BUILD)/warnings/native/%.o: bench/native/%.c $(STACK_HEADERS) $(wildcard bench/native/*.h) mk/check.mk
	@mkdir -p $(@D)
	@clang-22 -O2 -DWM_PSDU_MAX=2047 -DWM_FCS_LEN=2 $(filter-out -ffreestanding,$(WARNING_FLAGS)) -c $< -o $@
