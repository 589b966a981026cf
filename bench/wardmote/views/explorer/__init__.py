# SPDX-License-Identifier: BSD-3-Clause
"""The explorer of a report: one page on which every measured slot can be chosen and compared."""
