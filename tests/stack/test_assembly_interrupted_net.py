# SPDX-License-Identifier: BSD-3-Clause
"""As test_assembly_interrupted.py, for assembly that no primitive reaches: IPsec, counters in cells
and CBC-MAC in the MSP430's small form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.model.ipsec_model import Suite, secured
from tests.stack.calls import bound
from tests.stack.conftest import target_named
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import GROUP, IN, OUT, PROTECT, Node
from tests.stack.store.test_counter_cells import Cells
from tests.stack.test_assembly_interrupted import GLOBAL, faults
from vectors.generate_ipsec import OURS, PEER, clear, sa_of
from wardmote.call import EmulatedTarget, Outcome

NAME = "msp430-small"
STEMS = ("counter_cells", "ipsec_sequence", "ipsec_secure", "ipsec_aes_ctr", "cbc_mac", "xcbc_mac")
CTR, AH = Suite("aes_ctr", "aes_xcbc_96"), Suite("", "aes_xcbc_96")
CELLS = ("counter_cells", "counter_cells_double")
MACS = ("aes128", "cbc_mac", "xcbc_mac", "!curupira", "!fix")


def packets(target: EmulatedTarget) -> None:
    """Two SAs send and receive a packet each; one that came is refused; none is left."""
    sas = (sa_of(CTR, 1), sa_of(AH, 2))
    for direction, remote in ((OUT, OURS), (IN, PEER)):
        policy = {"remote": remote, "prefix": 128, "action": PROTECT, "ah": GROUP, "esp": GROUP}
        node = Node(target, [(direction, sa) for sa in sas], policies=[policy])
        assert node.started == "WM_OK"
        if direction == OUT:
            assert node.secure(clear(20))[0] == "WM_OK"
            node.go_on_from(OUT, 0, 0xFFFFFFFF)
            assert node.secure(clear(20))[0] == "WM_ERR_COUNTER"
        for wanted in ("WM_OK", "WM_ERR_COUNTER")[: 2 * (direction == IN)]:
            assert node.unsecure(secured(sas, clear(20), 70))[0] == wanted


def cells(target: EmulatedTarget) -> None:
    """A counter is made, opened, advanced, cleared, and opened with one cell."""
    made = Cells(target)
    assert (made.create(), made.open(), made.advance(9)) == ("WM_OK", "WM_OK", "WM_OK")
    assert made.continues(made.limit() - 1)
    assert made.clear() == "WM_OK"
    made.put(b"\0" * 8 + made.octets()[8:])
    assert made.open() == "WM_OK"


def macs(target: EmulatedTarget) -> None:
    """CBC-MAC and XCBC-MAC with a whole last block and without, as tags and compared."""
    key = bound(target, "aes128_tab", bytes(16))
    for length, verb in ((32, "final"), (5, "verify")):
        context, tag = target.pack("wm_cbc_mac"), bytearray(8)
        target.call("wm_cbc_mac_init", context, key)
        target.call("wm_cbc_mac_update", context, bytes(length), length)
        target.call(f"wm_cbc_mac_{verb}", context, tag, len(tag))
    derived = target.buffer(target.pack("wm_xcbc_mac_key"))
    assert target.call("wm_xcbc_mac_derive", derived, key).value == 0
    for length in (16, 5):
        context = target.pack("wm_xcbc_mac")
        target.call("wm_xcbc_mac_init", context, derived)
        target.call("wm_xcbc_mac_update", context, bytes(length), length)
        target.call("wm_xcbc_mac_verify", context, bytes(12), 12)


WAYS: dict[str, tuple[tuple[str, ...], Callable[[EmulatedTarget], None]]] = {
    "packets": (ipseclib.HEADERS, packets),
    "cells": (CELLS, cells),
    "macs": (MACS, macs),
}


def looked_at(headers: tuple[str, ...], run: Callable[[EmulatedTarget], None]) -> set[str]:
    """The functions that were reached. Nothing an interrupt could harm was found."""
    target = target_named(NAME, *headers)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    symbols = target.program.symbols()
    named = {name: at & ~1 for name, (at, _, function) in symbols.items() if function}
    begins, met, wrong = set(named.values()), set[int](), list[str]()

    def watched(*args: Any, **options: Any) -> Outcome:
        outcome = EmulatedTarget.call(target, *args, **(options | {"trace": "full"}))
        assert outcome.trace is not None
        met.update(begins & set(outcome.trace.pcs))
        wrong.extend(faults("msp430", outcome.trace, lambda _: 0, target.program.describe, begins))
        return outcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(target, "call", watched)
        run(target)
    target.reset()
    assert wrong == []
    return {name for name, at in named.items() if at in met}


def test_a_handler_could_run_after_any_instruction(root: Path) -> None:
    """And every function that the small form has in assembly alone was reached."""
    reached = set[str]()
    for headers, run in WAYS.values():
        reached |= looked_at(headers, run)
    sources = (root / "stack/arch/msp430/small" / f"{stem}.S" for stem in STEMS)
    small = {name for source in sources for name in GLOBAL.findall(source.read_text())}
    functions = small - {"wm_ipsec_aes_ctr"}  # a table
    assert len(functions) >= 14
    assert functions - reached == set()
