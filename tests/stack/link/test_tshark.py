# SPDX-License-Identifier: BSD-3-Clause
"""What the stack sends, decrypted and verified by tshark.

tshark takes the ASN from the capture, the key by its KeyIndex; with KeyIdMode 0 it tries every key
that is listed under index 0. A frame it cannot verify has an expert message; its data may be shown
all the same, so the message decides.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.model import ieee802154_model as model
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


@pytest.mark.parametrize("level", range(8))
@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("carried", [False, True], ids=["asn", "counter"])
def test_tshark_accepts(
    oracle: Oracle, tmp_path: Path, level: int, mode: int, carried: bool
) -> None:
    """tshark decrypts and authenticates EB, data and Enh-Ack, and sees the plaintext that was
    sent."""
    frames = on_air(level=level, key_id_mode=mode, counter_carried=carried, profile=int(level != 4))
    for frame, verdict in zip(frames, judged(oracle, tmp_path, frames, mode), strict=True):
        assert verdict.complaints == ()
        if frame.octets[0] & 7 == model.DATA:
            ash = (
                (model.Ash(level, mode, 0 if carried else None, not carried, bytes(8)))
                if level
                else None
            )
            octets = 125 - 21 - (len(ash.octets()) if ash else 0) - model.MIC_OCTETS[level]
            assert verdict.data == bytes(range(octets)).hex()


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("carried", [False, True], ids=["asn", "counter"])
def test_tshark_refuses_damage(oracle: Oracle, tmp_path: Path, level: int, carried: bool) -> None:
    """tshark complains of each frame with one bit of its MIC changed: its silence above means
    something."""
    frames = on_air(level=level, counter_carried=carried)
    damaged = [
        Captured(frame.octets[:-1] + bytes([frame.octets[-1] ^ 1]), frame.channel, frame.asn)
        for frame in frames
    ]
    for verdict in judged(oracle, tmp_path, damaged):
        assert "can't decrypt" in " ".join(verdict.complaints)


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
