# SPDX-License-Identifier: BSD-3-Clause
"""Computes from rows of `wardmote slot`: energy by phase, throughput, battery life, and the
comparison with published figures."""
