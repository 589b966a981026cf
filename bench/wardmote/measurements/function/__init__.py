# SPDX-License-Identifier: BSD-3-Clause
"""What any C function costs: compiled, linked and called on every CPU. `wardmote.measure` is the
function of `api`."""
