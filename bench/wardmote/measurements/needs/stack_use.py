# SPDX-License-Identifier: BSD-3-Clause
"""Octets of stack that calls of the public functions take at most: stack/stack-use/CPU.toml. Tests
measure every call on the emulated CPUs and hold it to these bounds."""

import re
import tomllib
from functools import cache
from pathlib import Path

from wardmote.cpus import CPU_NAMES
from wardmote.linked import ARCHIVES, Form
from wardmote.paths import ROOT

FOLDER = ROOT / "stack/stack-use"
FORMS: tuple[Form, ...] = tuple(ARCHIVES)
"""In the order in which a line has their octets."""

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
CALLED = re.compile(r"\b(wm_\w+)\(")


def file_of(cpu: str) -> Path:
    """The bounds of a CPU."""
    return FOLDER / f"{cpu}.toml"


@cache
def bounds(cpu: str, form: Form) -> dict[str, int]:
    """Octets by function, in a form of the library."""
    rows = tomllib.loads(file_of(cpu).read_text(encoding="utf-8"))
    return {name: octets[FORMS.index(form)] for name, octets in rows.items()}


def of_headers() -> dict[str, dict[str, tuple[int, ...]]]:
    """What the deepest function of each public header takes at most, by CPU, in every form."""
    found = {}
    for path in sorted((ROOT / "stack/include/wardmote").glob("*.h")):
        declared = set(CALLED.findall(COMMENT.sub("", path.read_text(encoding="utf-8"))))
        if names := declared & bounds(CPU_NAMES[0], FORMS[0]).keys():
            found[path.name] = {
                cpu: tuple(max(bounds(cpu, form)[name] for name in names) for form in FORMS)
                for cpu in CPU_NAMES
            }
    return found
