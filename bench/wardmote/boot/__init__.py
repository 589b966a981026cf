# SPDX-License-Identifier: BSD-3-Clause
"""Motes with anybody's firmware: which run where, what they say on their serial lines, and what is
awaited of them."""
