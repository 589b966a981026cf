# SPDX-License-Identifier: BSD-3-Clause
"""Finds the shortest secured timeslot: the cases, the network of two nodes they run in, the tuning
procedure and the proof."""
