# SPDX-License-Identifier: BSD-3-Clause
"""Image `ipsec-node` with IPsec at work while fragments come in and go out: the same packets, in less
time; whatever order the fragments have; and nothing left of packets that are refused or do not
come."""

from __future__ import annotations

from typing import Any

import pytest

from tests.firmware.ipsec_mote import (
    HOST,
    IN,
    KINDS,
    OUT,
    Motes,
    address,
    echo_request,
    sa_of,
    setup,
    short,
)
from tests.firmware.test_ipsec_node import CTR, XCBC, answer, hop, octets, sa
from tests.model import ipsec_model
from tests.model.ipsec_model import Sa, Suite, secured

SUITES = XCBC, CTR, Suite("null", "aes_xcbc_96")
MS, RAM = 10**9, (0x1100, 0x2800)
FRAGMENTS_MS = 5000
"""Packets that are not whole are dropped after it."""
LENGTH = 300
boards = pytest.mark.parametrize("board", KINDS)


def mote_under(
    suite: Suite, board: str = "telosb", seed: int = 1, **values: Any
) -> tuple[Motes, Sa, Sa]:
    """A mote with a SA for each way."""
    came, goes = sa(suite, 1), sa(suite, 2)
    image = "ipsec-node-ctr" if board == "telosb" else ""
    block = setup(1, [sa_of(IN, came), sa_of(OUT, goes)], **{"ahead": 1, **values})
    return Motes(block, board=board, image=image, seed=seed), came, goes


def took(motes: Motes, packet: bytes) -> tuple[list[bytes], int]:
    """The answer, and how long it takes in ps."""
    begin = motes.simulation.now_ps
    before = len(motes.simulation.frames())
    found = motes.host.ask(short(1), packet)
    frames = motes.simulation.frames()[before:]
    return found, max(at for _, at, *_ in frames) - begin


@boards
@pytest.mark.parametrize("suite", SUITES, ids=str)
@pytest.mark.parametrize("engine", [0, 1])
def test_the_same_packets_in_less_time(suite: Suite, board: str, engine: int) -> None:
    """As a whole and by pieces, in one frame and in up to twelve."""
    for number, length in ((1, 9), (2, LENGTH), (3, 1100)):
        times = []
        for ahead in (0, 1):
            motes, came, goes = mote_under(suite, board, engine=engine, ahead=ahead)
            motes.simulation.capture()
            data = octets(number, length)
            packet = secured((came,), echo_request(1, data), number)
            found, time = took(motes, packet)
            assert found == [secured((goes,), answer(data), 1)], (length, ahead)
            times.append(time)
            assert motes.report()["ipsec_refused"] == 0
        assert length < LENGTH or times[1] < times[0]


@boards
def test_fragments_in_any_order(board: str) -> None:
    """The first one last, two exchanged, one of them twice."""
    motes, came, goes = mote_under(CTR, board)
    for number, order in enumerate(((3, 2, 1, 0), (0, 2, 1, 3), (0, 1, 1, 2, 0, 3)), 1):
        data = octets(number, LENGTH)
        packet = secured((came,), echo_request(1, data), number)
        pieces = list(motes.host.fragments(packet))
        assert len(pieces) == 4
        motes.host.packets()
        for place in order:
            motes.host.frame(short(1), pieces[place])
        motes.simulation.run_until(motes.simulation.now_ps + 400 * MS)
        assert motes.host.packets() == [secured((goes,), answer(data), number)], order


def memory(motes: Motes) -> bytes:
    """RAM of the TelosB."""
    first, end = RAM
    return bytes(motes.simulation.read(0, first, end - first))


def test_nothing_is_left_of_what_is_refused() -> None:
    """One changed bit in any fragment: no answer, no window moved, and no plaintext in RAM."""
    motes, came, goes = mote_under(CTR)
    data = bytes(range(256))[:LENGTH]
    packet = secured((came,), echo_request(1, data), 1)
    for place in (45, 60, 90, 150, 250, len(packet) - 13, len(packet) - 1):
        flipped = bytearray(packet)
        flipped[place] ^= 4
        refused = motes.report()["ipsec_refused"]
        assert motes.host.ask(short(1), bytes(flipped), 100) == []
        assert motes.report()["ipsec_refused"] == refused + 1
        assert data[32:48] not in memory(motes)
    assert motes.host.ask(short(1), packet) == [secured((goes,), answer(data), 1)]
    assert motes.host.ask(short(1), packet, 100) == [], "a replay"


def test_nothing_is_left_of_what_does_not_come() -> None:
    """Without its last fragment a packet is decrypted as far as it has come, and gone in time; the
    same when its sender begins another one."""
    for other in (False, True):
        motes, came, goes = mote_under(CTR)
        data = bytes(range(256))
        packet = secured((came,), echo_request(1, data), 1)
        for piece in list(motes.host.fragments(packet))[:-1]:
            motes.host.frame(short(1), piece)
        motes.simulation.run_until(motes.simulation.now_ps + 100 * MS)
        assert data[100:116] in memory(motes), "the work is done ahead"
        if other:
            motes.host.frame(short(1), next(iter(motes.host.fragments(packet))))
            motes.simulation.run_until(motes.simulation.now_ps + 100 * MS)
        else:
            motes.simulation.run_until(motes.simulation.now_ps + FRAGMENTS_MS * MS)
        assert data[100:116] not in memory(motes)
        motes.simulation.run_until(motes.simulation.now_ps + FRAGMENTS_MS * MS)
        assert motes.host.ask(short(1), packet) == [secured((goes,), answer(data), 1)]


def test_packets_for_others_are_left_alone() -> None:
    """A relay that has a SA with the same SPI passes a packet on as it is."""
    came, goes = sa(CTR, 1), sa(CTR, 2)
    sas = [sa_of(IN, came), sa_of(OUT, goes)]
    motes = Motes(
        hop(1, 2, sas, ahead=1), hop(2, 2, sas, ahead=1), image="ipsec-node-ctr", board="telosb"
    )
    data = octets(1, LENGTH)
    packet = secured((came,), echo_request(2, data), 1)
    wanted = secured((goes,), answer(data, 2), 1)
    wanted = wanted[:7] + bytes([63]) + wanted[8:]
    assert motes.host.ask(short(1), packet, 600) == [wanted]
    assert motes.report()["forwarded"] == 2


def test_two_answers_that_wait_for_the_air() -> None:
    """Requests that come faster than answers go: each is answered once or lost, none is altered. One
    for which there is no buffer any more leaves nothing to the next one in its place."""
    answers: set[bytes] = set()
    busy = twice = 0
    for seed in range(1, 6):
        motes, came, goes = mote_under(CTR, seed=seed)
        answers = answers or {
            secured((goes,), answer(octets(n, LENGTH)), k) for n in range(1, 9) for k in range(9)
        }
        motes.host.packets()
        for number in range(1, 9):
            packet = secured((came,), echo_request(1, octets(number, LENGTH)), number)
            motes.host.send(short(1), packet)
        motes.simulation.run_until(motes.simulation.now_ps + 2000 * MS)
        found = motes.host.packets()
        assert len(found) == len(set(found)) >= 1
        assert set(found) <= answers
        assert motes.report()["ipsec_refused"] == 0
        busy += motes.report()["busy"]
        twice += len(found) >= 2
    assert busy
    assert twice


def test_errors_go_out_under_esp_too() -> None:
    """What is not the echo server's is answered by an error of ICMPv6, which is secured by pieces."""
    motes, came, goes = mote_under(CTR)
    closed = ipsec_model.ipv6(
        HOST, address(1), 17, ipsec_model.udp(HOST, address(1), (0xF0B0, 9), octets(1, LENGTH))
    )
    [found] = motes.host.ask(short(1), secured((came,), closed, 1))
    assert found[6] == ipsec_model.ESP
    assert int.from_bytes(found[40:44], "big") == goes.spi
