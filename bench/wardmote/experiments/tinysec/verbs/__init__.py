# SPDX-License-Identifier: BSD-3-Clause
"""A module, or a folder, for each sub-verb of `wardmote tinysec`."""
