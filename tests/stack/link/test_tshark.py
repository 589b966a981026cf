# SPDX-License-Identifier: BSD-3-Clause
"""What the stack sends, decrypted and verified by tshark.

tshark takes the ASN from the capture, the key by its KeyIndex; with KeyIdMode 0 it tries every key
that is listed under index 0. A frame it cannot verify has an expert message; its data may be shown
all the same, so the message decides.
"""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.frames import flipped
from tests.stack.link.simulation import KEYS, LEAF, LONG, ROOT, Simulation
from tests.stack.link.tshark import Captured, Verdict, judge, write_capture

Oracle = Callable[[str], str]


def on_air(**parameters: Any) -> list[Captured]:
    """Frames of the first slots of a network: EBs, data and Enh-Acks."""
    simulation = Simulation(**parameters)
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(0.5)
    frames = [Captured(sent.octets, sent.channel, sent.asn) for sent in simulation.sent]
    assert {frame.octets[0] & 7 for frame in frames} == {model.BEACON, model.DATA, model.ACK}
    return frames


def keys(mode: int) -> list[tuple[bytes, int]]:
    """Both keys under the indices that tshark looks for. The data key comes first: at level 4 no
    MIC tells tshark that it took the wrong one of several.
    """
    return [(KEYS[slot], slot + 1 if mode else 0) for slot in (1, 0)]


def judged(oracle: Oracle, tmp_path: Path, frames: list[Captured], mode: int = 1) -> list[Verdict]:
    """tshark's verdicts."""
    capture = tmp_path / "frames.pcap"
    write_capture(capture, frames)
    verdicts = judge(oracle("tshark"), capture, keys(mode))
    assert len(verdicts) == len(frames)
    return verdicts


def judged_together(
    oracle: Oracle, tmp_path: Path, networks: dict[str, list[Captured]], mode: int = 1
) -> Iterator[tuple[str, Captured, Verdict]]:
    """tshark's verdicts of several networks in one capture, for it takes long to begin: the name of
    the network, the frame and its verdict."""
    named = [(name, frame) for name, frames in networks.items() for frame in frames]
    verdicts = judged(oracle, tmp_path, [frame for _, frame in named], mode)
    for (name, frame), verdict in zip(named, verdicts, strict=True):
        yield name, frame, verdict


@pytest.mark.parametrize("mode", range(4))
def test_tshark_accepts(oracle: Oracle, tmp_path: Path, mode: int) -> None:
    """At every level, with the ASN and with a counter, tshark decrypts and authenticates EB, data
    and Enh-Ack, and sees the plaintext that was sent."""
    networks, lengths = {}, {}
    for level, carried in itertools.product(range(8), (False, True)):
        name = f"level {level}, {'counter' if carried else 'ASN'}"
        networks[name] = on_air(
            level=level, key_id_mode=mode, counter_carried=carried, profile=int(level == 4)
        )
        ash = model.Ash(level, mode, 0 if carried else None, not carried, bytes(8))
        ash_octets = len(ash.octets()) if level else 0
        lengths[name] = 125 - 21 - ash_octets - model.MIC_OCTETS[level]
    sent: dict[str, list[int]] = {name: [] for name in networks}
    for name, frame, verdict in judged_together(oracle, tmp_path, networks, mode):
        assert verdict.complaints == (), name
        if frame.octets[0] & 7 == model.DATA:
            first = int(verdict.data[:2], 16)
            assert verdict.data == bytes(range(first, first + lengths[name])).hex(), name
            sent[name].append(first)
    for name, firsts in sent.items():
        assert firsts, name
        assert firsts == sorted(set(firsts)), f"{name}: each payload is another one"


def test_tshark_refuses_damage(oracle: Oracle, tmp_path: Path) -> None:
    """tshark complains of each frame with one bit of its MIC changed: its silence above means
    something."""
    networks = {
        f"level {level}, {'counter' if carried else 'ASN'}": [
            frame._replace(octets=flipped(frame.octets, -1))
            for frame in on_air(level=level, counter_carried=carried)
        ]
        for level, carried in itertools.product((1, 2, 3, 5, 6, 7), (False, True))
    }
    for name, _, verdict in judged_together(oracle, tmp_path, networks):
        assert "can't decrypt" in " ".join(verdict.complaints), name


def test_tshark_reads_the_ies(oracle: Oracle, tmp_path: Path) -> None:
    """ASN, template, slotframe and time correction mean to tshark what they mean to us."""
    timing = dict(LONG) | {"ts_slot_duration": 3000}
    frames = on_air(timing=timing)
    beacon, _, ack = judged(oracle, tmp_path, frames)[:3]
    layers = json.loads(beacon.text)["wpan"]["wpan.payload_ie"]["wpan.mlme"]
    assert layers["wpan.tsch.time_sync"]["wpan.tsch.asn"] == str(frames[0].asn)
    assert layers["wpan.tsch.timeslot"]["wpan.tsch.timeslot.length"] == str(
        round(3000 * 15625 / 512)
    )
    assert layers["wpan.tsch.timeslot"]["wpan.tsch.timeslot.tx_offset"] == str(
        round(200 * 15625 / 512)
    )
    assert layers["wpan.tsch.slotframe"]["Slotframes [1]"]["wpan.tsch.slotframe_size"] == "7"
    correction = json.loads(ack.text)["wpan"]["wpan.header_ie"]["wpan.header_ie.time_correction"]
    shown = correction["wpan.header_ie.time_correction.time_sync_info_tree"]
    raw = int.from_bytes(frames[2].octets[25:27], "little")
    signed = (raw & 0xFFF) - ((raw & 0x800) << 1)
    assert (shown["wpan.header_ie.time_correction.value"], shown["wpan.nack"]) == (str(signed), "0")
