# SPDX-License-Identifier: BSD-3-Clause
"""Frames secured, unsecured and shown on this machine by the stack's own C."""
