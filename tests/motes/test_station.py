# SPDX-License-Identifier: BSD-3-Clause
"""Stations that are driven from Python: they hear, acknowledge and send in the motes' medium."""

import math

import pytest

from tests.motes.telosb import MICROSECOND, SECOND, Build
from tests.motes.test_radio import SENDER
from wardmote import _motes
from wardmote.measurements.slot.capture import fcs

PAN, HOST, OTHER = 0xBEEF, 0x0001, 0x00A1
DATA, ACK_REQUEST = 0x8841, 0x20


def frame(to: int, number: int, payload: bytes = b"", control: int = DATA | ACK_REQUEST) -> bytes:
    """A frame of the host, without its FCS."""
    fields = (PAN, to, HOST)
    head = control.to_bytes(2, "little") + bytes([number])
    return head + b"".join(field.to_bytes(2, "little") for field in fields) + payload


def pair(seed: int = 0, loss: float = 0.0) -> tuple[_motes.Simulation, int, int]:
    """Two stations."""
    simulation = _motes.Simulation(seed, loss=loss)
    host = simulation.add_station("host", pan=PAN, short=HOST)
    return simulation, host, simulation.add_station("other", pan=PAN, short=OTHER)


def test_what_one_sends_the_other_hears_and_acknowledges() -> None:
    """Octet by octet, with level and times; the acknowledgement begins 192 us after the end."""
    simulation, host, other = pair()
    simulation.capture()
    mpdu = frame(OTHER, 7, b"hello")
    number = simulation.send(host, mpdu)
    assert simulation.run_until_news([other], SECOND)
    assert simulation.now_ps < 10_000 * MICROSECOND, "it stops when there is news"
    [(sfd, end, rssi, psdu, right)] = simulation.heard(other)
    assert (psdu, rssi, right) == (mpdu + fcs(mpdu), -60, True)
    assert end - sfd == 32 * (1 + len(psdu)) * MICROSECOND
    assert simulation.run_until_news([host], SECOND)
    [(sent, _, times, outcome)] = simulation.sent(host)
    assert (sent, times, outcome) == (number, 1, "acknowledged")
    [(_, _, _, ack, right)] = simulation.heard(host)
    assert (ack, right) == (bytes([2, 0, 7]) + fcs(bytes([2, 0, 7])), True)
    [(first, _), (second, begun)] = [(mote, ps) for mote, ps, *_ in simulation.frames()]
    assert (first, second) == (host, other)
    assert begun == end + 192 * MICROSECOND
    assert simulation.heard(other) == [], "each once"


def test_a_frame_that_is_lost_is_sent_again() -> None:
    """Retries by the link's loss; none when nobody is asked to acknowledge."""
    simulation, host, other = pair(seed=3)
    simulation.set_loss(host, other, 0.5)
    for number in range(60):
        simulation.send(host, frame(OTHER, number), times=8)
    simulation.run_until(5 * SECOND)
    sent = simulation.sent(host)
    times = [times for _, _, times, _ in sent]
    assert 90 < sum(times) < 150, "two each"
    assert {outcome for *_, outcome in sent} <= {"acknowledged", "no acknowledgement"}
    numbers = {psdu[2] for _, _, _, psdu, _ in simulation.heard(other)}
    assert len(numbers) >= sum(outcome == "acknowledged" for *_, outcome in sent) >= 58
    simulation.set_loss(host, other, 1.0)
    simulation.send(host, frame(OTHER, 1, control=DATA))
    simulation.run_for(SECOND)
    assert [(times, outcome) for _, _, times, outcome in simulation.sent(host)] == [(1, "sent")]


def test_two_senders_share_the_channel() -> None:
    """CSMA-CA: 40 frames of each at once. What does not arrive found the channel busy five times in a
    row."""
    simulation, host, other = pair()
    for number in range(40):
        simulation.send(host, frame(OTHER, number, bytes(60)))
        to_host = frame(HOST, number, bytes(60))
        simulation.send(other, to_host)
    simulation.run_until(3 * SECOND)
    for station in (host, other):
        outcomes = [outcome for *_, outcome in simulation.sent(station)]
        assert set(outcomes) == {"acknowledged", "busy"}
        assert outcomes.count("acknowledged") >= 35


def test_the_same_seed_gives_the_same_air() -> None:
    """Every time and octet."""

    def run(seed: int) -> list[tuple[int, int, int, bytes, bool]]:
        simulation, host, other = pair(seed=seed, loss=0.2)
        simulation.capture()
        for number in range(20):
            simulation.send(host, frame(OTHER, number))
            simulation.send(other, frame(HOST, number))
        simulation.run_until(SECOND)
        return simulation.frames()

    assert run(5) == run(5)
    assert run(5) != run(6)


def test_a_station_hears_motes_and_injected_frames(msp430: Build) -> None:
    """The link table is the motes'."""
    simulation = _motes.Simulation()
    mote = simulation.add_mote("telosb", msp430(SENDER).read_bytes(), "mote")
    near = simulation.add_station("near", channel=11)
    far = simulation.add_station("far", channel=11)
    simulation.set_path_loss(mote, near, 71.0)
    simulation.set_path_loss(mote, far, math.inf)
    simulation.run_until(SECOND // 10)
    heard = simulation.heard(near)
    assert {(rssi, psdu[:-2], right) for _, _, rssi, psdu, right in heard} == {
        (-71, bytes.fromhex("018005aabbccdd"), True)
    }
    assert simulation.heard(far) == []
    mpdu = frame(OTHER, 1)
    wrong = bytes([fcs(mpdu)[0] ^ 1, fcs(mpdu)[1]])
    simulation.inject(11, simulation.now_ps + SECOND, mpdu + wrong)
    simulation.run_for(2 * SECOND)
    [(_, _, _, psdu, right)] = simulation.heard(far)
    assert (psdu, right) == (mpdu + wrong, False)


def test_mistakes_are_named(msp430: Build) -> None:
    """What a station and a mote do not have, and what cannot be sent."""
    simulation = _motes.Simulation()
    mote = simulation.add_mote("telosb", msp430(SENDER).read_bytes(), "mote")
    station = simulation.add_station("host")
    with pytest.raises(ValueError, match="host is a station, which has no board"):
        simulation.cpu(station)
    with pytest.raises(ValueError, match="mote is a mote, not a station"):
        simulation.heard(mote)
    with pytest.raises(ValueError, match="126 octets"):
        simulation.send(station, bytes(126))
    with pytest.raises(ValueError, match="channel 10"):
        simulation.add_station("low", channel=10)
    with pytest.raises(IndexError, match="no mote 2"):
        simulation.run_until_news([2], SECOND)
    simulation.run_for(SECOND)
    with pytest.raises(ValueError, match="before time passes"):
        simulation.add_station("late")
