# SPDX-License-Identifier: BSD-3-Clause
"""Emulated motes that work ahead of the slot hold plaintext that nobody has authenticated in the
engine's buffer only, and only until the verdict; no keystream of frames that are over; and no two
frames on the air have one nonce. `make ahead` looks at more slots."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.firmware.ahead_memory import (
    CASES,
    FAULTS,
    REGISTER_OCTETS,
    TIMINGS,
    WHOLE,
    Moment,
    Search,
)
from tests.planted import Change, image
from wardmote.measurements.slot.setting import AHEAD

SLOTS, CUTS, PLANTED_SLOTS = 5, 8, 8
LINK = "stack/src/link/tsch_ahead"
NONCE = "    wm_copy5(sec.asn, job->asn);\n"
JUDGE = "    status = judge(ahead, tsch, frame, split);\n"
WIPE_AT_VERDICT = """    if (ahead->verdict < 0) {
        wm_wipe(tsch->rx_frame, sizeof tsch->rx_frame);"""
HARDWARE = "firmware/image/slot/strategy_ahead_hardware"
TELOSB, OPENMOTE = TIMINGS
VERDICT = "    wm_status opened = cc2420_decrypt_end("


def copied(octets: str) -> str:
    """Into a place of its own."""
    return f"""    static volatile uint8_t early[16];
    for (uint8_t i = 0; i < 16; i++) {{
        early[i] = ({octets})[i];
    }}
    (void)early[0];
"""


Defects = Mapping[str, tuple[Change, ...]]
"""By what the search calls them. They are at different places, so one image has all of them."""
BY_BLOCKS: Defects = {
    "plaintext": (),
    "in the radio": (
        (f"{LINK}_receive.c", JUDGE,
         f"{copied('tsch->rx.frame + split->m_start')}"
         f"    wm_port_load(20, tsch->rx.frame + split->m_start, 16, tsch->rx.frame, 0);\n{JUDGE}"),
    ),
    "in the buffer": (
        (f"{LINK}_receive.c", WIPE_AT_VERDICT, "    if (ahead->verdict < 0) {"),
        (f"{LINK}_receive.c", "        wm_wipe(job->frame, WM_PSDU_MAX);\n", ""),
    ),
    "keystream": ((f"{LINK}_receive.c", "        wm_block_wipe(&stream[number]);\n", ""),),
}  # fmt: skip
"""The first two are one change: m goes to a place of its own, and to the radio, when it is decrypted
and not yet judged."""
ENGINES: Mapping[str, Defects] = {
    TELOSB: {
        "plaintext": (),
        "in the radio": (
            (f"{HARDWARE}_cc2420.c", VERDICT,
             "    wm_port_open_rest(job, plan);\n"
             "    cc2420_load(20, job->frame + plan->split.m_start, 16, job->frame, 0);\n"
             f"{VERDICT}"),
        ),
        "in the buffer": (
            (f"{HARDWARE}_cc2420.c", "        cc2420_wipe_rx();", "        cc2420_flush_rx();"),
        ),
    },
    OPENMOTE: {
        "plaintext": (),
        "in the radio": (
            (f"{HARDWARE}_cc2538.c", "    return worked ?",
             f"{copied('m')}    rf_put(m, 16);\n    return worked ?"),
        ),
        "in the buffer": (
            ("stack/src/link/tsch_ahead_engine.c", "    wm_wipe(frame, WM_PSDU_MAX);\n",
             "    (void)frame;\n"),
        ),
    },
}  # fmt: skip
"""An engine leaves no keystream in memory that is seen."""
ONE_NONCE = (f"{LINK}.c", NONCE, f"{NONCE}    sec.asn[4] |= 1;\n")  # the leaf joins at ASN 101
SAME_NONCE: Mapping[tuple[str, str], tuple[Change, ...]] = {
    (TELOSB, "ahead-software"): (ONE_NONCE,),
    (TELOSB, WHOLE): (
        ONE_NONCE,
        ("firmware/image/slot/strategy_plan.c", "job->asn[4]", "job->asn[4] | 1"),
    ),
}
"""Nonces are made at these two places, on all boards."""


@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_nothing_is_found(board: str, strategy: str) -> None:
    """At many moments while forged frames arrive, and when each was refused."""
    search = Search(board, strategy)
    counts = search.slots(SLOTS)
    assert {fault: counts[fault] for fault in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert counts["frames"] >= SLOTS - 1
    assert counts["decrypted"] > 100 * SLOTS, "plaintext is seen where it may be"
    assert search.network.stats("root")["refused"] >= SLOTS - 1
    assert search.network.stats("root")["data_received"] == 0


@pytest.mark.parametrize("strategy", AHEAD)
def test_a_frame_that_stops_leaves_nothing(strategy: str) -> None:
    """The sender's power fails while its frame is on the air."""
    counts = Search("telosb", strategy).stops(CUTS)
    assert {fault: counts[fault] for fault in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert counts["frames that stopped"] > CUTS // 3
    assert counts["decrypted"] > 0


@pytest.mark.early
@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_defects_are_found(board: str, strategy: str, tmp_path: Path) -> None:
    """The search finds what was put into the image of each board and strategy."""
    defects = ENGINES[board] if strategy == WHOLE else BY_BLOCKS
    changes = [change for some in defects.values() for change in some]
    built = image(tmp_path, board, f"slot-{strategy}", changes)
    counts = Search(board, strategy, image=built).slots(PLANTED_SLOTS)
    assert {fault for fault in FAULTS if counts[fault] > 0} == set(defects)


@pytest.mark.parametrize(("board", "strategy"), SAME_NONCE)
def test_a_nonce_that_comes_twice_is_found(board: str, strategy: str, tmp_path: Path) -> None:
    """On the air."""
    built = image(tmp_path, board, f"slot-{strategy}", SAME_NONCE[board, strategy])
    search = Search(board, strategy, image=built, forged=False)
    assert search.slots(PLANTED_SLOTS)["used twice"] > 0


@pytest.mark.parametrize(("board", "octets"), REGISTER_OCTETS.items())
def test_plaintext_in_registers_is_found(board: str, octets: int) -> None:
    """Four octets in one register or two, in either order of octets; not three."""
    search = Search(board, "ahead-software")
    plain = bytes(range(0x30, 0x50))
    for order in ("little", "big"):
        words = [int.from_bytes(plain[i : i + octets], order) for i in range(8, 12, octets)]
        held = Moment(b"", (0, *words, 1), {})
        assert search.in_registers(held, plain) > 0
        held = Moment(b"", (0, *words[1:], words[0] ^ 1), {})
        assert search.in_registers(held, plain) == 0
