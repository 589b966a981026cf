# SPDX-License-Identifier: BSD-3-Clause
"""What every primitive of the stack costs, operation by operation, on every CPU."""
