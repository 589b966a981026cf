# SPDX-License-Identifier: BSD-3-Clause
"""Assembly of the MSP430 knows by number where members of C's structs are. Its comments name them,
and here each number is compared with what the headers say.

    /* wm_ipsec_sa; `protocol` is its first member */
    #define SEQUENCE 30           the member `sequence`
    #define SEQUENCE_HIGH 32      the upper half of it
    #define AH_GROUP 26 /* ah */  the member `ah`
    #define SA_OCTETS 34 /* of all */
    /* wm_ipsec_shape, from SHAPE on */   what follows counts from SHAPE
    /* wm_status */
    #define ERR_STATE -11         WM_ERR_STATE; elsewhere a comment names the constant
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stack.conftest import prototypes
from wardmote.cpus import CPUS
from wardmote.paths import ROOT

SOURCES = sorted((ROOT / "stack/arch/msp430/small").glob("*.S"))
HEADING = re.compile(r"/\* (wm_\w+)(?:; `(\w+)` is its first member|, from (\w+) on)? \*/")
DEFINITION = re.compile(r"#define (\w+) (-?\d+)(?: +/\* (of all|[\w.]+)\b.*)?")
FROM_A_POINTER = re.compile(r"\b([A-Z][A-Z0-9_]*)[+\w]*\((?!r1\))\w+\)")
HALF = 2
"""Octets between the halves of 32 bits."""
Known = tuple[str, int, int]
"""A name, its number in the assembly, and the one that C has."""


def member(record: str, name: str, said: str | None) -> int:
    """Where a member is that the assembly calls `name`, or how many octets the record has."""
    layout = prototypes().layout(record, CPUS["msp430"].model)
    if said == "of all":
        return layout.size
    path = said or name.lower()
    if path.endswith("_high") and path not in layout.members:
        return layout.offset(path.removesuffix("_high")) + HALF
    return layout.offset(path)


def known(text: str) -> Iterator[Known]:
    """Every number whose meaning the comments tell."""
    constants, numbers = prototypes().constants, dict[str, int]()
    record, begin = "", 0
    for line in text.splitlines():
        if heading := HEADING.fullmatch(line):
            record, begin = heading[1], numbers.get(heading[3] or "", 0)
            if heading[2]:
                yield heading[2], 0, member(record, heading[2], None)
        elif definition := DEFINITION.match(line):
            name, number, said = definition[1], int(definition[2]), definition[3]
            numbers[name] = number
            if record == "wm_status":
                yield name, number, constants[f"WM_{name}"]
            elif said in constants:
                yield name, number % 2**16, constants[said] % 2**16
            elif record:
                yield name, number, begin + member(record, name, said)
        else:
            record, begin = "", 0


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_every_number_is_that_of_c(source: Path) -> None:
    """And each that is added to a pointer other than SP has a meaning."""
    text = source.read_text()
    found = list(known(text))
    assert [(name, ours) for name, ours, _ in found] == [(name, c) for name, _, c in found]
    numbers = {match[1] for match in DEFINITION.finditer(text)}
    added = numbers & set(FROM_A_POINTER.findall(text))
    assert added <= {name for name, _, _ in found}


def test_what_would_be_wrong_is_found() -> None:
    """A member that moved, a size, a half, a status, an offset behind another record."""
    text = """/* wm_counter_cells; `limit` is its first member */
#define LIMIT_HIGH 6
#define AT 6
#define CELLS_OCTETS 12 /* of all */
/* wm_ipsec_shape, from AT on */
#define ALL 5
/* wm_status */
#define ERR_STATE -10
"""
    wrong = {name for name, ours, c in known(text) if ours != c}
    assert wrong == {"limit", "LIMIT_HIGH", "CELLS_OCTETS", "ALL", "ERR_STATE"}


def test_every_record_was_met() -> None:
    """Files with numbers of structs are looked at, and their headings are understood."""
    met = {source.stem: len(list(known(source.read_text()))) for source in SOURCES}
    assert {stem for stem, count in met.items() if count >= 3} >= {
        *("counter_cells", "ipsec_sequence", "ipsec_secure", "ipsec_aes_ctr"),
        *("cbc_mac", "xcbc_mac"),
    }
