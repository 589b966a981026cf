# SPDX-License-Identifier: BSD-3-Clause
"""How short can a secured timeslot be? Cases, the two-node network they run in, the tuning
procedure, the proof."""
