# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the sub-verbs of `wardmote ipsec`."""

from tests.bench.experiments.group_rows import Group

IPSEC = Group("ipsec", ("telosb", "openmote-cc2538"), "docs/what-does-ipsec-cost.md")
experiment, rows_of = IPSEC.experiment, IPSEC.rows_of
of_everything, is_in_the_document = IPSEC.of_everything, IPSEC.is_in_the_document
