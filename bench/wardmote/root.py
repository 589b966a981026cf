# SPDX-License-Identifier: BSD-3-Clause
"""The root: the repository, or, where only the wheel is installed, the folder of the package that
has the same layout. Imports little, because `wardmote frame` must start fast."""

import os.path

PACKAGE = os.path.dirname(os.path.abspath(__file__))
_REPOSITORY = os.path.dirname(os.path.dirname(PACKAGE))
IS_CHECKOUT = os.path.isfile(os.path.join(_REPOSITORY, "pyproject.toml"))
ROOT = _REPOSITORY if IS_CHECKOUT else os.path.join(PACKAGE, "resources")
