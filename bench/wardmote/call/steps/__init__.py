# SPDX-License-Identifier: BSD-3-Clause
"""Follows a function of this machine's own CPU one instruction at a time."""
