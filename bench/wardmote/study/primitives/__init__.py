# SPDX-License-Identifier: BSD-3-Clause
"""Computes from rows of primitives: the best choice, and comparisons with the paper and other code."""
