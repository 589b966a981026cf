# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the sub-verbs of `wardmote zigbee`."""

from tests.bench.experiments.group_rows import Group

DOCUMENT = "docs/what-does-zigbee-security-cost.md"
ZIGBEE = Group("zigbee", ("atmega1281-cc2420",), DOCUMENT)
