# SPDX-License-Identifier: BSD-3-Clause
"""The instrument's bench: experiments on emulated motes, their rows, and the views of rows."""

__version__ = "0.1.0"
