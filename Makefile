# SPDX-License-Identifier: BSD-3-Clause
# The one entry point, the same on a laptop and in CI. Everything made lies under build/ and .venv/.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

BUILD := build
VENV := .venv
PYTHON := $(VENV)/bin/python
WARDMOTE := $(VENV)/bin/wardmote
STAMPS := $(BUILD)/stamps
export CARGO_TARGET_DIR := $(CURDIR)/$(BUILD)/cargo
# What this make starts runs on all cores, unless the caller said on how many.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,--jobs=$(shell nproc))

include mk/setup.mk
include mk/images.mk
include mk/reference.mk
include mk/report.mk
include mk/wheel.mk
include mk/check.mk
include mk/fuzz.mk
include mk/coverage.mk
include mk/test.mk
include mk/peers.mk
include mk/hdl.mk

# A verb and what it does, in lines of 79 columns.
define HELP
{ line = sprintf("make %-10s", $$1); words = split($$2, word, " ")
  for (n = 1; n <= words; n++) {
    if (length(line " " word[n]) > 79) { print line; line = sprintf("%15s", "") }
    line = line " " word[n]
  }
  print line }
endef
export HELP

.PHONY: help clean
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' "$$HELP"

clean: ## remove everything made, except .venv and cargo's registry
	rm -rf $(BUILD) bench/wardmote/*.so
