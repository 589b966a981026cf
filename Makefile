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

.PHONY: help clean
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "make %-10s %s\n", $$1, $$2}'

clean: ## remove everything made, except .venv and cargo's registry
	rm -rf $(BUILD) bench/wardmote/*.so
