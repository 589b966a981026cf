# SPDX-License-Identifier: BSD-3-Clause
"""The stack as `make stack` builds it, on each target."""

import functools

from wardmote.call.emulated import EmulatedTarget
from wardmote.call.host.library import HostTarget
from wardmote.call.target import Target
from wardmote.cpus import CPUS
from wardmote.errors import UsageError
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

TARGETS = ("host", *CPUS)


@functools.cache
def open_target(name: str, executable: str = "stack") -> Target:
    """The stack as `make stack` builds it, on the target of that name; opened once in a process.
    The executable is link security and what it needs, or one of `ciphers`, `hashes`, `macs`,
    `modes`; the host has all in one library."""
    prototypes = read_public(ROOT)
    if name == "host":
        return HostTarget(BUILD / "stack" / "host" / "libwardmote.so", prototypes)
    if name in CPUS:
        return EmulatedTarget(BUILD / "stack" / name / f"{executable}.elf", prototypes)
    raise UsageError(f"unknown target {name!r}; targets are: {', '.join(TARGETS)}")
