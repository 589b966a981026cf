# SPDX-License-Identifier: BSD-3-Clause
"""The instrument's bench: experiments on emulated motes, their rows, and the views of rows."""

__version__ = "0.1.0"

# Behind the version, which it reads. The name is the function's from here on; the package of that name is reached by
# `from wardmote.measure.… import …`.
from wardmote.measure.api import measure

__all__ = ["__version__", "measure"]
