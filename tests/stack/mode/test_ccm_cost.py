# SPDX-License-Identifier: BSD-3-Clause
"""CCM on the emulated CPUs: constant time, what it leaves in memory, cycles and stack."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.stack.calls import ERR_SECURITY, OK, Ccm, expand
from tests.stack.conftest import target_named
from tests.stack.oracle import block_openssl, seal_openssl
from wardmote.call import EmulatedTarget, Outcome

HEADERS = ("aes128", "ccm")

RUNS = 200
FRAME, ACK = (35, 86), (39, 0)
"""Lengths of a and m: the longest data frame with the longest security header, and its Enh-Ack."""
NONCE = bytes(range(0x10, 0x1D))
RAM = {"msp430": (0x1100, 0x3900), "avr": (0x0200, 0x2200), "armv7m": (0x2000_0000, 0x2000_8000)}

MOST_CYCLES = {
    ("msp430", "tab", FRAME): 33_300,
    ("msp430", "tab", ACK): 10_600,
    ("msp430-portable", "tab", FRAME): 46_500,
    ("msp430-portable", "tab", ACK): 14_200,
    ("msp430", "small", FRAME): 96_000,
    ("msp430", "small", ACK): 29_000,
    ("avr", "tab", FRAME): 36_800,
    ("avr", "tab", ACK): 11_400,
    ("avr", "small", FRAME): 40_400,
    ("avr-portable", "tab", FRAME): 97_500,
    ("armv7m", "tab", FRAME): 13_500,
    ("armv7m", "tab", ACK): 4_600,
    ("armv7m", "fix", FRAME): 28_500,
    ("armv7m", "fix", ACK): 11_700,
    ("armv7m-portable", "tab", FRAME): 32_000,
    ("armv7m", "small", FRAME): 60_000,
}
"""On ARMv7-M at the upper end of the timing band, without wait states."""
STACK_OCTETS = {"msp430": 144, "avr": 128, "armv7m": 256}


def timing(runs: int, call: Callable[[random.Random], Outcome]) -> set[tuple[int | None, int]]:
    """Cycles and traces of program counters that were met in that many runs."""
    source = random.Random("ccm")
    seen = set()
    for _ in range(runs):
        outcome = call(source)
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash))
    return seen


def test_sealing_by_fix_takes_equal_addresses(emulated: EmulatedTarget) -> None:
    """With `fix`, random secrets of one length in one place give one trace of addresses for a whole
    frame as well."""
    source = random.Random("ccm fix")
    seen = set()
    for _ in range(RUNS):
        ccm = Ccm(emulated, "fix", source.randbytes(16))
        got = ccm.seal(
            source.randbytes(13), source.randbytes(21), source.randbytes(34), 8, trace="hash"
        )
        assert got.outcome.trace is not None
        seen.add((got.outcome.cycles, got.outcome.trace.pc_hash, got.outcome.trace.address_hash))
    assert len(seen) == 1


def test_sealing_takes_equal_time(emulated: EmulatedTarget, variant: str) -> None:
    """Random keys, nonces, a and m of one length give one cycle count and one trace of program
    counters."""

    def seal(source: random.Random) -> Outcome:
        ccm = Ccm(emulated, variant, source.randbytes(16))
        return ccm.seal(
            source.randbytes(13), source.randbytes(21), source.randbytes(34), 8, trace="hash"
        ).outcome

    assert len(timing(RUNS, seal)) == 1


@pytest.mark.parametrize("variant", ["tab", "fix"])
def test_accepting_takes_equal_time(emulated: EmulatedTarget, variant: str) -> None:
    """Opening right frames with random secrets gives one cycle count and one trace of program
    counters."""

    def open_right(source: random.Random) -> Outcome:
        key, nonce, a, m = (source.randbytes(n) for n in (16, 13, 21, 34))
        got = Ccm(emulated, variant, key).open(
            nonce, a, *seal_openssl(key, nonce, a, m, 8), trace="hash"
        )
        assert got.status == OK
        return got.outcome

    assert len(timing(RUNS, open_right)) == 1


def test_refusing_takes_equal_time(emulated: EmulatedTarget) -> None:
    """Where and how a tag is wrong cannot be told from time: one cycle count, one trace of program
    counters."""
    key, nonce, a, m = bytes(range(16)), bytes(13), bytes(21), bytes(34)
    ct, tag = seal_openssl(key, nonce, a, m, 8)
    wrong = [
        bytes(t ^ (1 << bit % 8 if i == bit // 8 else 0) for i, t in enumerate(tag))
        for bit in range(64)
    ]
    tags = iter([*wrong, bytes(8), bytes(255 - t for t in tag)])

    def open_wrong(_: random.Random) -> Outcome:
        got = Ccm(emulated, "tab", key).open(nonce, a, ct, next(tags), trace="hash")
        assert (got.status, got.m) == (ERR_SECURITY, bytes(34))
        return got.outcome

    assert len(timing(66, open_wrong)) == 1


def test_traces_tell_accepting_from_refusing(emulated: EmulatedTarget) -> None:
    """The recorder is not blind: the two outcomes, which are public, differ in their traces."""
    ccm = Ccm(emulated, "tab", bytes(16))
    sealed = ccm.seal(NONCE, b"a", b"m", 4)
    traces = [
        ccm.open(NONCE, b"a", sealed.m, tag, trace="hash").outcome.trace
        for tag in (sealed.tag, bytes(4))
    ]
    assert traces[0] is not None
    assert traces[1] is not None
    assert traces[0].pc_hash != traces[1].pc_hash


@pytest.mark.parametrize("variant", ["tab", "fix"])
@pytest.mark.parametrize("accept", [True, False])
def test_nothing_of_the_keystream_stays_in_memory(
    emulated: EmulatedTarget, variant: str, accept: bool
) -> None:
    """After opening a frame, no keystream block and no tag stands anywhere in RAM, stack
    included."""
    key, nonce, a, m = bytes(range(16)), NONCE, bytes(range(35)), bytes(range(100, 186))
    ct, tag = seal_openssl(key, nonce, a, m, 16)
    got = Ccm(emulated, variant, key).open(nonce, a, ct, tag if accept else bytes(16))
    assert got.status == (OK if accept else ERR_SECURITY)
    begin, end = RAM[emulated.name]
    left = emulated.read(begin, end - begin)
    blocks = [block_openssl(key, b"\x01" + nonce + i.to_bytes(2, "big")) for i in range(7)]
    assert expand(emulated, key, variant)[:8] in left, "the search finds what is there"
    assert not [i for i, block in enumerate(blocks) if block[:8] in left or block[8:] in left]
    assert (m[:16] in left) == accept, "of a refused frame no plaintext stays either"


@pytest.mark.parametrize(("name", "variant", "lengths"), MOST_CYCLES)
def test_cycles_of_a_frame(name: str, variant: str, lengths: tuple[int, int]) -> None:
    """Sealing and opening the worst-case data frame and its acknowledgement stay below their
    bounds."""
    target = target_named(name, *HEADERS)
    a, m = (bytes(n) for n in lengths)
    ccm = Ccm(target, variant, bytes(16))
    sealed = ccm.seal(NONCE, a, m, 4)
    opened = ccm.open(NONCE, a, sealed.m, sealed.tag)
    assert (sealed.status, opened.status) == (OK, OK)
    for outcome in (sealed.outcome, opened.outcome):
        assert outcome.cycles is not None
        assert outcome.cycles <= MOST_CYCLES[name, variant, lengths]


@pytest.mark.parametrize("name", STACK_OCTETS)
@pytest.mark.parametrize("variant", ["tab", "small"])
def test_stack_of_a_frame(name: str, variant: str) -> None:
    """A frame is sealed in little stack, the context included."""
    outcome = (
        Ccm(target_named(name, *HEADERS), variant, bytes(16))
        .seal(NONCE, bytes(35), bytes(86), 4)
        .outcome
    )
    assert outcome.stack_octets is not None
    assert outcome.stack_octets <= STACK_OCTETS[name]
