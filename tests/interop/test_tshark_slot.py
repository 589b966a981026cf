# SPDX-License-Identifier: BSD-3-Clause
"""tshark, which shares no line with us, decrypts and authenticates what emulated motes send, at
every level."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.test_slot_ahead import ALL_LENGTHS
from tests.firmware.test_slot_fine import BOARD as FINE_BOARD
from tests.firmware.test_slot_fine import DEPLOYABLE as FINE_TEMPLATE
from tests.interop.captures import (
    ACK,
    BEACON,
    DATA,
    EXCHANGES,
    Seen,
    capture,
    records,
    tshark,
    tshark_each,
)
from tests.model.ieee802154_model import fcs
from tests.vectors import named
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.block import BEACON_KEY_INDEX, DATA_KEY_INDEX
from wardmote.measurements.slot.setting import (
    AHEAD,
    AHEAD_PIB,
    ASH_FORMS,
    FINE,
    FRAME_OCTETS,
    STRATEGIES,
    WITH_FINE,
    Setting,
    all_settings,
)

HEADER_OCTETS = 21
FCS_OCTETS = 2
NUMBER_OCTETS = 2
"""Of a payload, which is zeros behind its number (firmware/image/slot/payload.c)."""


CASES = [
    *itertools.product(SLOT_BOARDS, (*STRATEGIES, *AHEAD, *AHEAD_PIB)),
    *(
        (board, name)
        for board, one in SLOT_BOARDS.items()
        if one.fine_tick_hz
        for name in WITH_FINE
    ),
]


def case_of(strategy: str, level: int, ash: str, board: str = "telosb") -> Setting:
    """A case at the board's full clock, at the slow end of its band if it has one."""
    [case] = all_settings(board, [strategy], [level], ASH_FORMS[ash], SLOT_BOARDS[board].clock_hz)
    return case


def of_type(frames: list[Seen], frame_type: str) -> list[Seen]:
    """The frames of one type."""
    return [frame for frame in frames if frame.frame_type == frame_type]


@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_every_frame_is_decrypted_and_authenticated(
    board: str, strategy: str, root: Path, oracle: Callable[[str], str], tmp_path: Path
) -> None:
    """At every level and with either ASH, every data frame, ack and beacon passes tshark's check,
    and the payload it shows is the one that was sent."""
    program = oracle("tshark")
    image = (root / f"build/firmware/{board}/slot-{strategy}.elf").read_bytes()
    cases = [
        case_of(strategy, level, ash, board)
        for level, ash in itertools.product(range(8), ("6tisch", "paper"))
    ]
    captures = [capture(case, image) for case in cases]
    seen = tshark_each(program, captures, tmp_path / "all.pcap")
    for case, frames in zip(cases, seen, strict=True):
        with named(f"level {case.level}, {case.ash}"):
            check_frames(case, frames)


SHORTEST = {
    **ALL_LENGTHS,
    **{
        (FINE_BOARD, f"{strategy}{FINE}", ash): FINE_TEMPLATE
        for strategy in AHEAD
        for ash in ASH_FORMS
    },
}
"""Deployable templates ahead of the slot, at most a tick longer than the shortest."""
MANY, SOME = 1000, 120


@pytest.mark.parametrize(("board", "strategy", "ash"), SHORTEST)
def test_a_short_slot_ahead_is_decrypted_whole(
    board: str,
    strategy: str,
    ash: str,
    root: Path,
    oracle: Callable[[str], str],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    """1 000 exchanges (120 without --long) in the shortest deployable slot, where work is still going
    on while frames leave: none is missing, and tshark decrypts them all."""
    exchanges = MANY if request.config.getoption("long") else SOME
    image = (root / f"build/firmware/{board}/slot-{strategy}.elf").read_bytes()
    case = case_of(strategy, 5, ash, board)
    taken = capture(case, image, exchanges, SHORTEST[board, strategy, ash])
    check_frames(case, tshark(oracle("tshark"), taken, tmp_path / "short.pcap"), exchanges)


def check_frames(case: Setting, frames: list[Seen], exchanges: int = EXCHANGES) -> None:
    """What tshark must say of the frames of one case."""
    level = case.level
    data, acks, beacons = (of_type(frames, kind) for kind in (DATA, ACK, BEACON))
    assert len(frames) == len(data) + len(acks) + len(beacons)
    assert len(data) >= exchanges
    assert len(acks) >= exchanges
    assert len(data) - len(acks) <= 1
    assert beacons
    assert [frame.complaint for frame in frames] == [""] * len(frames)
    for frame in (*data, *acks):
        assert frame.secured == (level != 0)
        assert frame.level == (f"0x{level:02x}" if level else "")
        assert frame.key_index == (f"0x{DATA_KEY_INDEX:02x}" if level else "")
    for frame in beacons:
        assert frame.level == ("0x01" if level else "")
        assert frame.key_index == (f"0x{BEACON_KEY_INDEX:02x}" if level else "")
    payload = FRAME_OCTETS - HEADER_OCTETS - case.ash.octets(level) - case.mic_octets - FCS_OCTETS
    assert {frame.data[NUMBER_OCTETS:] for frame in data} == {bytes(payload - NUMBER_OCTETS)}
    numbers = [int.from_bytes(frame.data[:NUMBER_OCTETS], "little") for frame in data]
    assert numbers == sorted(set(numbers)), "each payload is another one"


def test_asn_of_each_slot_is_in_the_capture(
    slot_images: Path, oracle: Callable[[str], str], tmp_path: Path
) -> None:
    """A data frame and its ack carry one ASN, and each exchange a later one."""
    image = (slot_images / "slot-software.elf").read_bytes()
    frames = tshark(
        oracle("tshark"), capture(case_of("software", 5, "6tisch"), image), tmp_path / "c.pcap"
    )
    asns = [int(frame.asn) for frame in of_type(frames, DATA)]
    assert asns == sorted(set(asns))
    assert [int(frame.asn) for frame in of_type(frames, ACK)] == asns[: len(of_type(frames, ACK))]


def changed(pcap: bytes, frame_type: str) -> tuple[bytes, int]:
    """The capture with the last octet of a MIC changed and the FCS put right, in the first frame of
    a type; which frame that is."""
    octets = bytearray(pcap)
    places = list(records(pcap))
    number = next(n for n, (at, _) in enumerate(places) if octets[at] & 7 == int(frame_type, 16))
    start, end = places[number]
    octets[end - FCS_OCTETS - 1] ^= 0x01
    octets[end - FCS_OCTETS : end] = fcs(bytes(octets[start : end - FCS_OCTETS]))
    return bytes(octets), number


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
def test_a_changed_frame_is_complained_about(
    level: int, slot_images: Path, oracle: Callable[[str], str], tmp_path: Path
) -> None:
    """The check has teeth: with the last octet of the MIC of a beacon, a data frame or an ack
    changed, and the FCS put right, tshark objects to that frame alone."""
    image = (slot_images / "slot-software.elf").read_bytes()
    whole = capture(case_of("software", level, "6tisch"), image, exchanges=2)
    wrong = {kind: changed(whole, kind) for kind in (BEACON, DATA, ACK)}
    captures = [whole, *(pcap for pcap, _ in wrong.values())]
    before, *after = tshark_each(oracle("tshark"), captures, tmp_path / "all.pcap")
    assert [frame.complaint for frame in before] == [""] * len(before)
    for (frame_type, (_, number)), frames in zip(wrong.items(), after, strict=True):
        assert before[number].frame_type == frame_type
        assert "decrypt" in frames.pop(number).complaint
        assert [frame.complaint for frame in frames] == [""] * len(frames)
