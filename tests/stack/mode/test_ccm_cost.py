# SPDX-License-Identifier: BSD-3-Clause
"""CCM on the MSP430: constant time, what it leaves in memory, cycles and stack."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.stack.calls import ERR_SECURITY, OK, Ccm, expand
from tests.stack.conftest import target_named
from tests.stack.oracle import block_openssl, seal_openssl
from wardmote.call import Msp430Target, Outcome

RUNS = 200
FRAME, ACK = (35, 86), (39, 0)
"""Lengths of a and m: the longest data frame with the longest security header, and its Enh-Ack."""
NONCE = bytes(range(0x10, 0x1D))
RAM_BEGIN, RAM_END = 0x1100, 0x3900

MOST_CYCLES = {
    ("msp430", "tab", FRAME): 34_500,
    ("msp430", "tab", ACK): 10_600,
    ("msp430-portable", "tab", FRAME): 46_000,
    ("msp430-portable", "tab", ACK): 14_200,
    ("msp430", "small", FRAME): 96_000,
    ("msp430", "small", ACK): 29_000,
}
STACK_OCTETS = 144


def timing(runs: int, call: Callable[[random.Random], Outcome]) -> set[tuple[int | None, int]]:
    """Cycles and traces of program counters that were met in that many runs."""
    source = random.Random("ccm")
    seen = set()
    for _ in range(runs):
        outcome = call(source)
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash))
    return seen


def test_sealing_takes_equal_time(msp430: Msp430Target, variant: str) -> None:
    """Random keys, nonces, a and m of one length give one cycle count and one trace of program counters."""

    def seal(source: random.Random) -> Outcome:
        ccm = Ccm(msp430, variant, source.randbytes(16))
        return ccm.seal(source.randbytes(13), source.randbytes(21), source.randbytes(34), 8, trace="hash").outcome

    assert len(timing(RUNS, seal)) == 1


def test_accepting_takes_equal_time(msp430: Msp430Target) -> None:
    """Opening right frames with random secrets gives one cycle count and one trace of program counters."""

    def open_right(source: random.Random) -> Outcome:
        key, nonce, a, m = (source.randbytes(n) for n in (16, 13, 21, 34))
        got = Ccm(msp430, "tab", key).open(nonce, a, *seal_openssl(key, nonce, a, m, 8), trace="hash")
        assert got.status == OK
        return got.outcome

    assert len(timing(RUNS, open_right)) == 1


def test_refusing_takes_equal_time(msp430: Msp430Target) -> None:
    """Where and how a tag is wrong cannot be told from time: one cycle count, one trace of program counters."""
    key, nonce, a, m = bytes(range(16)), bytes(13), bytes(21), bytes(34)
    ct, tag = seal_openssl(key, nonce, a, m, 8)
    wrong = [bytes(t ^ (1 << bit % 8 if i == bit // 8 else 0) for i, t in enumerate(tag)) for bit in range(64)]
    tags = iter([*wrong, bytes(8), bytes(255 - t for t in tag)])

    def open_wrong(_: random.Random) -> Outcome:
        got = Ccm(msp430, "tab", key).open(nonce, a, ct, next(tags), trace="hash")
        assert (got.status, got.m) == (ERR_SECURITY, bytes(34))
        return got.outcome

    assert len(timing(66, open_wrong)) == 1


def test_traces_tell_accepting_from_refusing(msp430: Msp430Target) -> None:
    """The recorder is not blind: the two outcomes, which are public, differ in their traces."""
    ccm = Ccm(msp430, "tab", bytes(16))
    sealed = ccm.seal(NONCE, b"a", b"m", 4)
    traces = [ccm.open(NONCE, b"a", sealed.m, tag, trace="hash").outcome.trace for tag in (sealed.tag, bytes(4))]
    assert traces[0] is not None
    assert traces[1] is not None
    assert traces[0].pc_hash != traces[1].pc_hash


@pytest.mark.parametrize("accept", [True, False])
def test_nothing_of_the_keystream_stays_in_memory(msp430: Msp430Target, accept: bool) -> None:
    """After opening a frame, no keystream block and no tag stands anywhere in RAM, stack included."""
    key, nonce, a, m = bytes(range(16)), NONCE, bytes(range(35)), bytes(range(100, 186))
    ct, tag = seal_openssl(key, nonce, a, m, 16)
    got = Ccm(msp430, "tab", key).open(nonce, a, ct, tag if accept else bytes(16))
    assert got.status == (OK if accept else ERR_SECURITY)
    left = msp430.program.read(RAM_BEGIN, RAM_END - RAM_BEGIN)
    blocks = [block_openssl(key, b"\x01" + nonce + i.to_bytes(2, "big")) for i in range(7)]
    assert expand(msp430, key)[:8] in left, "the search finds what is there"
    assert not [i for i, block in enumerate(blocks) if block[:8] in left or block[8:] in left]
    assert (m[:16] in left) == accept, "of a refused frame no plaintext stays either"


@pytest.mark.parametrize(("name", "variant", "lengths"), MOST_CYCLES)
def test_cycles_of_a_frame(name: str, variant: str, lengths: tuple[int, int]) -> None:
    """Sealing and opening the worst-case data frame and its acknowledgement stay below their bounds."""
    target = target_named(name)
    a, m = (bytes(n) for n in lengths)
    ccm = Ccm(target, variant, bytes(16))
    sealed = ccm.seal(NONCE, a, m, 4)
    opened = ccm.open(NONCE, a, sealed.m, sealed.tag)
    assert (sealed.status, opened.status) == (OK, OK)
    for outcome in (sealed.outcome, opened.outcome):
        assert outcome.cycles is not None
        assert outcome.cycles <= MOST_CYCLES[name, variant, lengths]


def test_stack_of_a_frame(msp430: Msp430Target) -> None:
    """A frame is sealed in little stack, the context included."""
    outcome = Ccm(msp430, "tab", bytes(16)).seal(NONCE, bytes(35), bytes(86), 4).outcome
    assert outcome.stack_octets is not None
    assert outcome.stack_octets <= STACK_OCTETS
