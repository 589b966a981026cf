# SPDX-License-Identifier: BSD-3-Clause
"""Tables, figures, pages and documents about primitives."""
