# SPDX-License-Identifier: BSD-3-Clause
"""The security levels, by the names of IEEE 802.15.4-2015 9.4.2.1."""

LEVEL_NAMES = (
    "none",
    "MIC-32",
    "MIC-64",
    "MIC-128",
    "ENC",
    "ENC-MIC-32",
    "ENC-MIC-64",
    "ENC-MIC-128",
)
