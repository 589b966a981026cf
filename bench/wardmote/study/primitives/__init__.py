# SPDX-License-Identifier: BSD-3-Clause
"""What follows from rows of primitives: the best choice, the paper beside ours, other code beside ours."""
