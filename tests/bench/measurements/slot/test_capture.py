# SPDX-License-Identifier: BSD-3-Clause
"""Frames of a capture and their FCS."""

from pathlib import Path

import pytest

from wardmote._motes import Simulation
from wardmote.measurements.slot.capture import TYPE_ACK, TYPE_BEACON, TYPE_DATA, fcs, frames
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import ASH_FORMS, Setting
from wardmote.measurements.slot.timing import LONG

US = 1_000_000


def test_fcs_of_the_check_word() -> None:
    """CRC-16/KERMIT of `123456789` is 0x2189, least significant octet first on the air."""
    assert fcs(b"123456789") == bytes.fromhex("8921")
    assert fcs(b"") == b"\0\0"


def test_frames_of_a_network(slot_images: Path) -> None:
    """Data and Enh-Ack take turns in each slot, at the air time of their octets, with the radio's
    FCS."""
    case = Setting("telosb", "hardware", 5, ASH_FORMS["paper"], 8_000_000)
    network = Network(case, (slot_images / "slot-hardware.elf").read_bytes(), LONG, 1)
    assert network.join()
    assert network.run_to_exchange(6)
    seen = frames(bytes(network.simulation.pcap()))
    assert [frame.type for frame in seen if frame.type != TYPE_BEACON] == [TYPE_DATA, TYPE_ACK] * 5
    for frame in seen:
        assert frame.psdu[-2:] == fcs(frame.psdu[:-2])
        assert frame.end_ps - frame.start_ps == pytest.approx(
            (6 + len(frame.psdu)) * 32 * US, abs=US
        )
        assert frame.asn is not None


def test_injected_frames_are_captured_and_refused_when_they_cannot_be(slot_images: Path) -> None:
    """A stranger's frame is in the capture without ASN; one that none can hear in time is refused
    with the reason."""
    simulation = Simulation(1)
    mote = simulation.add_mote("telosb", (slot_images / "slot-none.elf").read_bytes(), "m")
    simulation.capture(mote, "slot_node", 0)
    psdu = b"\x01\x02\x03" + fcs(b"\x01\x02\x03")
    simulation.inject(15, 500 * US, psdu)
    simulation.run_for(2000 * US)
    [frame] = frames(bytes(simulation.pcap()))
    assert (frame.start_ps, frame.channel, frame.asn, frame.psdu) == (500 * US, 15, None, psdu)
    for channel, at_ps, octets, says in (
        (15, simulation.now_ps + US, psdu, "the earliest"),
        (27, simulation.now_ps + 1000 * US, psdu, "channel 27"),
        (15, simulation.now_ps + 1000 * US, bytes(128), "128 octets"),
    ):
        with pytest.raises(ValueError, match=says):
            simulation.inject(channel, at_ps, octets)


def test_states_are_the_meter_over_time(slot_images: Path) -> None:
    """Time in state, summed from the changes, is what the meter counts; without a first call
    nothing is recorded."""
    case = Setting("telosb", "hardware", 5, ASH_FORMS["paper"], 8_000_000)
    network = Network(case, (slot_images / "slot-hardware.elf").read_bytes(), LONG, 1)
    assert network.join()
    begin = network.simulation.now_ps
    changes = network.states("leaf")
    assert {device for _, device, *_ in changes} == {"cpu", "cc2420"}
    before = {(m["device"], m["state"], m["clock_hz"]): m["seconds"] for m in network.meter("leaf")}
    network.simulation.run_for(300_000 * US)
    end = network.simulation.now_ps
    changes += network.states("leaf")
    spent: dict[tuple[str, str, int], float] = {}
    for device in ("cpu", "cc2420"):
        own = [(max(ps, begin), state, hz) for ps, name, state, hz, _ in changes if name == device]
        ends = [*(ps for ps, *_ in own[1:]), end]
        for (ps, state, hz), until in zip(own, ends, strict=True):
            spent[device, state, hz] = spent.get((device, state, hz), 0.0) + (until - ps) / 1e12
    assert len(spent) > 4
    for meter in network.meter("leaf"):
        name = (meter["device"], meter["state"], meter["clock_hz"])
        assert spent.get(name, 0.0) == pytest.approx(
            meter["seconds"] - before.get(name, 0.0), abs=2e-6
        )
