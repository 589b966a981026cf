# SPDX-License-Identifier: BSD-3-Clause
"""What follows from rows of `wardmote slot`: energy by phase, throughput and battery life, the
published figures."""
