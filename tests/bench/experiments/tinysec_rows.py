# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the sub-verbs of `wardmote tinysec`."""

from tests.bench.experiments.group_rows import Group

DOCUMENT = "docs/what-does-tinysec-cost.md"
TINYSEC = Group("tinysec", ("mica2",), DOCUMENT)
experiment, rows_of = TINYSEC.experiment, TINYSEC.rows_of
of_everything, is_in_the_document = TINYSEC.of_everything, TINYSEC.is_in_the_document
