# SPDX-License-Identifier: BSD-3-Clause
"""What a system costs an operation: that prediction and measurement agree, and that nothing wrong
is measured."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
from collections.abc import Callable
from functools import cache

import pytest
from Crypto.Cipher import AES
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESOCB3

from wardmote.boards import EVENT_BOARDS
from wardmote.call import open_target
from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner
from wardmote.campaign.store import Store
from wardmote.errors import ImageError
from wardmote.measurements.system.campaign import Selection, expected, image_file, measure, parts_of
from wardmote.measurements.system.node import Run, observe
from wardmote.measurements.system.operations import (
    FRAME_A,
    FRAME_M,
    FRAME_TAG,
    KEY,
    MESSAGE,
    NONCE,
    OPERATIONS,
)
from wardmote.measurements.system.rows import Result, SystemRow
from wardmote.measurements.system.situation import USUAL, Situation, most_frames_per_s, product

SECONDS = 0.5
FRESH = Runner(store=Store(fresh=True))
"""Measures here, and takes nothing that was kept."""
SEED = 3
SHORT, LONG = "aes128", "ascon_hash256"
"""An operation that is over before a frame is, and one that is not."""
BOUND = {"telosb": (0.0005, 0.002), "openmote-cc2538": (0.005, 0.05)}
"""How far prediction and measurement may be apart: percentage points, and a part of the prediction.
The MSP430 has no pipeline that an interrupt empties; the Cortex-M3 has one, and a prefetch buffer.
"""


@cache
def result(board: str, seed: int = SEED) -> Result:
    """Two operations in all usual situations."""
    selection = Selection(
        {board: EVENT_BOARDS[board].clock_hz}, (SHORT, LONG), USUAL, SECONDS, seed
    )
    return measure(selection, FRESH)


def row(board: str, operation: str, situation: Situation) -> SystemRow:
    """One of its rows."""
    rows = result(board).rows
    return next(
        one for one in rows if (one.operation, one.situation) == (operation, situation.words)
    )


@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_prediction_agrees(board: str) -> None:
    """Interrupts that came in between, times what each costs in a delay loop, are the overhead that
    is measured."""
    points, part = BOUND[board]
    for one in result(board).rows:
        apart = abs(one.overhead_percent - one.predicted_percent)
        assert apart <= points + part * one.predicted_percent, (one.operation, one.situation, apart)


@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_each_part_by_itself(board: str) -> None:
    """The loop and a radio that hears nothing cost a running operation nothing; ticks cost what
    their rate says."""
    clock_hz = EVENT_BOARDS[board].clock_hz
    for quiet in (
        Situation(),
        Situation(frames_per_s=0),
        Situation(frames_per_s=50, to="filtered"),
    ):
        for operation in (SHORT, LONG):
            one = row(board, operation, quiet)
            assert (one.cycles_min, one.cycles_max) == (one.bare_cycles, one.bare_cycles), quiet
            assert one.system_percent > 0
    for hz in (128, 1024):
        one = row(board, LONG, Situation(tick_hz=hz))
        per_cycle = hz / clock_hz * one.parts.cycles_per_tick
        assert one.overhead_percent == pytest.approx(100 * per_cycle, rel=0.05)
    handler = row(board, LONG, Situation(frames_per_s=10))
    assert handler.reads_in > 0
    most = handler.bare_cycles * handler.overhead_max_percent / 100
    assert most >= 0.95 * handler.parts.cycles_per_frame


@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_who_reads_a_frame(board: str) -> None:
    """Reading in the loop takes the frame out of the operation, but not out of the CPU's time."""
    handler = row(board, SHORT, Situation(frames_per_s=200))
    loop = row(board, SHORT, Situation(frames_per_s=200, reader="loop"))
    assert loop.reads_in == 0 < handler.reads_in
    assert loop.overhead_percent < handler.overhead_percent / 5
    assert loop.system_percent == pytest.approx(handler.system_percent, rel=0.1)


def test_a_long_operation_loses_frames() -> None:
    """An operation longer than a frame's time on the air keeps the loop from frames; a short one
    does not."""
    full = Situation(frames_per_s=200)
    for reader in ("handler", "loop"):
        busy = dataclasses.replace(full, reader=reader)
        blocked, free = row("telosb", LONG, busy), row("telosb", SHORT, busy)
        assert free.frames_lost == free.overflows == 0
        assert blocked.frames_lost > blocked.frames_sent / 4
        assert blocked.overflows > 0
        assert blocked.frames_handled + blocked.frames_lost == blocked.frames_sent
    slow = row("telosb", LONG, Situation(frames_per_s=10))
    assert slow.frames_lost == 0
    assert slow.frame_latency_max_us is not None
    run_us = slow.bare_cycles * 1e6 / slow.clock_hz
    assert 0.5 * run_us < slow.frame_latency_max_us < 3 * run_us


@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_every_frame_is_counted(board: str) -> None:
    """Each frame is either handled or lost. All are handled where nothing delays the loop."""
    for one in result(board).rows:
        assert 0 <= one.frames_lost <= one.frames_sent, one.situation
        assert one.frames_handled + one.frames_lost == (
            0 if one.to == "filtered" else one.frames_sent
        )
        if one.frames_per_s is not None and one.frames_per_s <= 10:
            assert one.frames_lost == 0, (one.operation, one.situation)


def test_latency_is_the_operation() -> None:
    """A tick's event waits for the run it falls into, no longer: at most a run and a little of the
    loop."""
    for operation in (SHORT, LONG):
        one = row("telosb", operation, Situation(tick_hz=128))
        assert one.tick_latency_max_us is not None
        run_us = one.bare_cycles * 1e6 / one.clock_hz
        assert 0.5 * run_us < one.tick_latency_max_us < run_us + 1000


def test_same_seed_same_rows() -> None:
    """Same seed: the same rows; another seed: frames at other moments."""
    situation = Situation(tick_hz=128, frames_per_s=50)

    def rows(seed: int) -> tuple[SystemRow, ...]:
        selection = Selection({"telosb": 8_000_000}, (SHORT,), (situation,), 0.2, seed)
        return measure(selection, FRESH).rows

    assert rows(1) == rows(1)
    assert rows(1)[0].frame_latency_us != rows(2)[0].frame_latency_us


def test_several_jobs_give_the_same_rows() -> None:
    """How many operations are measured at a time changes nothing."""
    selection = Selection({"telosb": 8_000_000}, (SHORT, "ccm-frame"), USUAL[:2], 0.1, SEED)
    assert measure(selection, FRESH) == measure(selection, Runner(Local(2), Store(fresh=True)))


def test_bare_is_what_a_call_takes() -> None:
    """The bare cycles are the cycles of the function alone and the few of its call."""
    target = open_target("msp430", "aes128")
    called = target.call(
        "wm_aes128_tab_encrypt", bytes(target.pack("wm_aes128")), bytearray(16)
    ).cycles
    assert called is not None
    assert called <= row("telosb", SHORT, Situation()).bare_cycles <= called + 30


def _ctr(octets: int) -> bytes:
    encryptor = Cipher(algorithms.AES(KEY), modes.CTR(NONCE)).encryptor()
    return encryptor.update(MESSAGE[:octets]) + encryptor.finalize()


def _eax() -> bytes:
    cipher = AES.new(KEY, AES.MODE_EAX, nonce=NONCE[:12], mac_len=16)
    sealed, tag = cipher.encrypt_and_digest(MESSAGE)
    return sealed + tag


ELSEWHERE: dict[str, Callable[[], bytes]] = {
    "aes128": lambda: Cipher(algorithms.AES(KEY), modes.ECB()).encryptor().update(MESSAGE[:16]),
    "aes128-ctr-16": lambda: _ctr(16),
    "aes128-ctr-128": lambda: _ctr(128),
    "sha256": lambda: hashlib.sha256(MESSAGE).digest(),
    "sha3_256": lambda: hashlib.sha3_256(MESSAGE).digest(),
    "blake2s": lambda: hashlib.blake2s(MESSAGE).digest(),
    "hmac_sha256": lambda: hmac.digest(KEY, MESSAGE, "sha256"),
    "ccm-frame": lambda: AESCCM(KEY, FRAME_TAG).encrypt(
        NONCE[:13], MESSAGE[:FRAME_M], MESSAGE[:FRAME_A]
    ),
    "ocb3": lambda: AESOCB3(KEY).encrypt(NONCE[:12], MESSAGE, None),
    "eax": _eax,
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_results_are_those_of_others(name: str) -> None:
    """The expected results of the runs come from libraries of other authors."""
    assert expected(name) == ELSEWHERE[name]()


def test_every_operation_has_a_result() -> None:
    """None is compared with nothing, and no two are the same."""
    results = {name: expected(name) for name in OPERATIONS}
    assert all(len(octets) >= 12 for octets in results.values())
    assert len(set(results.values())) == len(results)


@pytest.mark.parametrize("board", EVENT_BOARDS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_wrong_result_is_refused(name: str, board: str) -> None:
    """Every operation's result is right on every board, and one octet off is told, not measured."""
    record = EVENT_BOARDS[board]
    right = Run(record, record.clock_hz, OPERATIONS[name], Situation(), expected(name), 2, SEED)
    assert observe(right, image_file(board).read_bytes()).counts["runs"] == 2
    wrong = bytes([*expected(name)[:-1], expected(name)[-1] ^ 1])
    with pytest.raises(ImageError, match="results are not the host's"):
        observe(dataclasses.replace(right, expected=wrong), image_file(board).read_bytes())


def test_parts_follow_the_frame() -> None:
    """Reading a frame costs by its length, its interrupt does not; the wire takes 16 cycles an
    octet."""
    board, elf = EVENT_BOARDS["telosb"], image_file("telosb").read_bytes()
    long, short = (parts_of(board, board.clock_hz, octets, SEED, elf) for octets in (127, 27))
    assert long.cycles_per_interrupt == short.cycles_per_interrupt
    assert long.cycles_per_tick == short.cycles_per_tick
    assert long.cycles_per_read - short.cycles_per_read == pytest.approx(100 * 16, abs=16)


def test_a_stamp_costs_what_its_handler_does() -> None:
    """The handler of a stamp is assembly whose cycles are counted beside it: 61 (tick_isr.S)."""
    one = row("telosb", LONG, Situation(frames_per_s=50, stamped=True))
    assert one.parts.cycles_per_stamp == 61
    assert one.stamps_in > one.interrupts_in > 0


def test_situations() -> None:
    """Combinations are named apart, those that differ in nothing are one, and the air has room for
    what is sent."""
    found = product((0, 128), (None, 0, 10), ("us", "filtered"), ("handler", "loop"), 127)
    assert len(found) == len({one.words for one in found}) == 2 * (2 + 3)
    assert len({one.words for one in USUAL}) == len(USUAL)
    most = most_frames_per_s(127)
    assert 1e6 / (most + 1) < 4256 + 640 <= 1e6 / most
