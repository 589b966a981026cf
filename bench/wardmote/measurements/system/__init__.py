# SPDX-License-Identifier: BSD-3-Clause
"""Measures how much an event loop, a tick and a listening radio slow an operation on an emulated
mote."""
