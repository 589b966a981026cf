# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: each part turns cases into rows. Nothing here formats."""
