# SPDX-License-Identifier: BSD-3-Clause
"""The primitives that are measured. Every module of this package, except `parts`, gives
some by `entries()`. One more primitive is one more entry, or one more module."""

from importlib import import_module
from pkgutil import iter_modules

from wardmote.measurements.primitives.entry import Primitive

ORDER = ("ciphers", "hashes", "macs", "modes", "aeads")
"""Of the usual modules in tables; others follow by name."""


def _entries() -> tuple[Primitive, ...]:
    names = {module.name for module in iter_modules(__path__)} - {"parts"}
    ordered = [*ORDER, *sorted(names - set(ORDER))]
    modules = [import_module(f"{__name__}.{name}") for name in ordered]
    return tuple(one for module in modules for one in module.entries())


PRIMITIVES = _entries()
