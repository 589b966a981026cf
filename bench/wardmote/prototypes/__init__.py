# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers declare: functions, structures with their layout on each target, and
constants.

The headers themselves are the only list: clang preprocesses them, pycparser reads the result, and
sizes and offsets follow from the target's data model.
"""

from wardmote.prototypes.layout import Layout, Placed, Prototypes, pack_integer
from wardmote.prototypes.model import (
    HOST,
    HOST32,
    Array,
    Code,
    DataModel,
    Declared,
    Function,
    Pointer,
    PrototypeError,
    Record,
    Scalar,
    Type,
    Void,
)
from wardmote.prototypes.parse import public_headers, read_headers, read_public

__all__ = [
    "HOST",
    "HOST32",
    "Array",
    "Code",
    "DataModel",
    "Declared",
    "Function",
    "Layout",
    "Placed",
    "Pointer",
    "PrototypeError",
    "Prototypes",
    "Record",
    "Scalar",
    "Type",
    "Void",
    "pack_integer",
    "public_headers",
    "read_headers",
    "read_public",
]
