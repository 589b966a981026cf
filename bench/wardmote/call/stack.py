# SPDX-License-Identifier: BSD-3-Clause
"""The stack as `make stack` builds it, on each target."""

import functools

from wardmote.call.emulated import EmulatedTarget
from wardmote.call.host.library import HostTarget
from wardmote.call.target import Target
from wardmote.cpus import CPUS
from wardmote.errors import UsageError
from wardmote.linked import declared, linked
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

TARGETS = ("host", *CPUS)


@functools.cache
def open_target(name: str, *headers: str) -> Target:
    """The stack on the target of that name; opened once in a process.

    An emulated CPU has the functions and objects that the headers declare, as in
    `open_target("msp430", "ccm", "aes128")`. The host has everything."""
    if name == "host":
        return HostTarget(BUILD / "stack" / "host" / "libwardmote.so", read_public(ROOT))
    if name in CPUS:
        return EmulatedTarget(linked(name, declared(name, headers)), read_public(ROOT))
    raise UsageError(f"unknown target {name!r}; targets are: {', '.join(TARGETS)}")
