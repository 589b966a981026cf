# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of docs/how-do-i-add.md, followed in a copy of the tree."""
