# SPDX-License-Identifier: BSD-3-Clause
"""Executables of adapters and libraries."""

from collections.abc import Sequence
from pathlib import Path

from wardmote.measurements.function import kept
from wardmote.measurements.function.build import Order
from wardmote.measurements.function.files import sort_files
from wardmote.measurements.function.prototype import NAME
from wardmote.measurements.libraries.sources import KEPT
from wardmote.paths import ROOT

ADAPTERS = ROOT / "bench" / "libraries"
EXECUTABLE = "executable"
"""Name of the artefact of every case."""


def order_of(call: str, files: Sequence[Path], include: Sequence[Path], *flags: str) -> Order:
    """What to build for a function. Warnings are the library's own affair."""
    named = NAME.search(call)
    assert named is not None
    words = " ".join((*flags, "-w")).split()
    return Order(sort_files(files), named[1], tuple(words), tuple(include), call)


def executable(cpu: str, order: Order) -> Path:
    """It is built where it is not there yet; raises BuildError where it cannot be."""
    return kept.executable(cpu, order, KEPT, ADAPTERS)
