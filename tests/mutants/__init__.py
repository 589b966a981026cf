# SPDX-License-Identifier: BSD-3-Clause
"""Mutants: sources of the stack with one small defect each, and whether the tests notice it."""
