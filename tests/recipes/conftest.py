# SPDX-License-Identifier: BSD-3-Clause
"""The files that a recipe adds are tests of the copy, not of this tree."""

collect_ignore_glob = ["*/new/*"]
