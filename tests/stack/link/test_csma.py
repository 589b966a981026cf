# SPDX-License-Identifier: BSD-3-Clause
"""Unslotted CSMA-CA on every CPU: back-offs, acks, retries, spaces, and frames that came twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.model.ieee802154_model import Frame
from tests.stack.conftest import TARGETS, fresh
from tests.stack.link.linklib import as_built, frame_max, name_of
from wardmote.call import Target

HEADERS = ("csma", "csma_double", "ieee802154")
PAN, OWN, PEER, EVERYBODY = 0xBEEF, 0x00A1, 0x0001, 0xFFFF
UNIT, TURNAROUND, ACK_WAIT, SIFS, LIFS, SHR_PHR = 20, 12, 54, 12, 40, 12
SENT, NO_ACK, CHANNEL_ACCESS = range(3)
WHATS = ("alarm", "alarms", "loaded", "armed", "tried", "sent", "done", "result")
DATA, ACK, COMMAND = 1, 2, 3


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, with the double of a board for this MAC."""
    yield from fresh(request.param, HEADERS)


def mpdu(
    octets: int = 30, *, dst: int = PEER, src: int = OWN, seq: int = 5, kind: int = DATA,
    ack: bool = True, pan: int = PAN, fcf: int = 0x8840,
) -> bytes:  # fmt: skip
    """A frame with short addresses."""
    head = (fcf | kind | 0x20 * ack).to_bytes(2, "little") + bytes([seq])
    head += b"".join(n.to_bytes(2, "little") for n in (pan, dst, src))
    return head + bytes(octets - len(head))


class Mac:
    """A MAC with the double of a board."""

    def __init__(self, target: Target, seed: int = 1) -> None:
        self.target = target
        target.reset()
        target.call("csma_double_begin")
        self.mac = target.buffer(target.pack("wm_csma"))
        self.status = name_of(target.call("wm_csma_init", self.mac, PAN, OWN, seed).value)

    def noted(self, what: str) -> int:
        """What the board has noted."""
        return int(self.target.call("csma_double_noted", WHATS.index(what)).value)

    def send(self, frame: bytes) -> str:
        """`wm_csma_send`."""
        return name_of(self.target.call("wm_csma_send", self.mac, frame, len(frame)).value)

    def alarm(self) -> None:
        """The alarm comes."""
        self.target.call("wm_csma_on_alarm", self.mac)

    def sending(self) -> bool:
        """`wm_csma_sending`."""
        return bool(self.target.call("wm_csma_sending", self.mac).value)

    def receive(self, frame: bytes, *, again: bool = True) -> tuple[str, bool]:
        """Status, and whether it was repeated."""
        mhr, where = self.target.pack("wm_mhr"), self.target.pack("wm_frame_map")
        args = (self.mac, frame, len(frame), mhr, where)
        status = name_of(self.target.call("wm_csma_receive", *args).value)
        if status != "WM_OK" or not again:
            return status, False
        return status, bool(self.target.call("wm_csma_repeated", self.mac, mhr).value)

    def ack(self, seq: int) -> None:
        """An ack comes."""
        assert self.receive(bytes([ACK, 0, seq])) == ("WM_ERR_NOT_FOR_US", False)


def on_air(octets: int, *, ack: bool = True) -> int:
    """Symbol periods from the strobe to the end of a frame, and of the wait for its ack."""
    return TURNAROUND + SHR_PHR + 2 * (octets + 2) + ACK_WAIT * ack


def test_a_frame_and_its_ack(target: Target) -> None:
    """Loaded once, while the back-off runs; sent when it ends, done with the ack."""
    mac = Mac(target)
    assert (mac.status, mac.sending()) == ("WM_OK", False)
    assert mac.send(mpdu(30)) == "WM_OK"
    assert (mac.sending(), mac.noted("loaded"), mac.noted("tried")) == (True, 30, 0)
    assert mac.noted("armed") == 1, "loading takes no time of its own"
    assert mac.send(mpdu(30)) == "WM_ERR_STATE"
    mac.alarm()
    assert (mac.noted("sent"), mac.noted("alarm")) == (1, on_air(30))
    mac.ack(5)
    assert (mac.noted("alarm"), mac.noted("done"), mac.noted("result")) == (LIFS, 1, SENT)
    alarms = mac.noted("alarms")
    for _ in range(3):
        mac.ack(5)
        mac.alarm()
    assert (mac.noted("done"), mac.noted("sent"), mac.noted("alarms")) == (1, 1, alarms)
    assert not mac.sending()


def test_the_next_frame_in_the_space(target: Target) -> None:
    """It is loaded while the space behind the one before runs, of that one's length; its back-off
    begins behind the space. Another one has to wait."""
    for octets, space in ((16, SIFS), (40, LIFS)):
        mac = Mac(target)
        assert mac.send(mpdu(octets)) == "WM_OK"
        mac.alarm()
        mac.ack(5)
        alarms = mac.noted("alarms")
        assert mac.send(mpdu(50, seq=6)) == "WM_OK"
        assert (mac.noted("loaded"), mac.noted("armed")) == (50, alarms)
        assert (mac.noted("alarm"), mac.noted("alarms")) == (space, alarms), "the space goes on"
        assert mac.send(mpdu(seq=7)) == "WM_ERR_STATE"
        assert mac.sending()
        mac.ack(6)
        mac.alarm()
        assert (mac.noted("alarms"), mac.noted("tried")) == (alarms + 1, 1)
        assert mac.noted("alarm") == 1 or mac.noted("alarm") % UNIT == 0
        mac.alarm()
        assert (mac.noted("sent"), mac.noted("alarm")) == (2, on_air(50))
        mac.ack(6)
        assert mac.noted("done") == 2


def test_short_frames_and_broadcasts(target: Target) -> None:
    """Behind a frame of 18 octets with its FCS the space is the short one; what wants no ack is done
    when it has left."""
    for octets, space in ((16, SIFS), (17, LIFS)):
        mac = Mac(target)
        assert mac.send(mpdu(octets, dst=EVERYBODY, ack=False)) == "WM_OK"
        mac.alarm()
        assert mac.noted("alarm") == on_air(octets, ack=False)
        mac.ack(5)
        assert mac.noted("alarm") == on_air(octets, ack=False), "nobody waits for an ack"
        mac.alarm()
        assert (mac.noted("alarm"), mac.noted("done")) == (space, 1)
        mac.alarm()
        assert (mac.noted("done"), mac.noted("result")) == (1, SENT)


def test_retries(target: Target) -> None:
    """Without an ack, or with another's, the frame is sent macMaxFrameRetries times more."""
    mac = Mac(target)
    assert mac.send(mpdu()) == "WM_OK"
    for sent in range(1, 5):
        mac.alarm()
        assert (mac.noted("sent"), mac.noted("done")) == (sent, 0)
        mac.ack(6)
        mac.alarm()
    mac.alarm()
    assert (mac.noted("done"), mac.noted("result"), mac.noted("sent")) == (1, NO_ACK, 4)
    assert target.unpack("wm_csma", bytearray(mac.mac.read()))["retries"] == 3
    assert mac.send(mpdu()) == "WM_OK"


def test_backoffs(target: Target) -> None:
    """Whole unit periods below 2^BE, with BE 3, 4, 5, 5, 5: every number of them comes. After five
    looks at a busy channel the frame is given up."""
    seen: list[set[int]] = [set() for _ in range(5)]
    for seed in range(1, 120 if target.name == "host" else 12):
        mac = Mac(target, seed * 521)
        target.call("csma_double_clear", 0)
        assert mac.send(mpdu()) == "WM_OK"
        for units in seen:
            symbols = mac.noted("alarm")
            assert symbols == 1 or symbols % UNIT == 0
            units.add(symbols // UNIT)
            assert mac.noted("done") == 0
            mac.alarm()
        assert mac.noted("alarm") == LIFS
        mac.alarm()
        assert (mac.noted("tried"), mac.noted("sent")) == (5, 0)
        assert (mac.noted("done"), mac.noted("result")) == (1, CHANNEL_ACCESS)
    for units, exponent in zip(seen, (3, 4, 5, 5, 5), strict=True):
        assert units <= set(range(2**exponent))
        assert target.name != "host" or len(units) > 0.9 * 2**exponent


def test_a_channel_that_becomes_clear(target: Target) -> None:
    """Each retry begins with the least exponent and all looks anew."""
    mac = Mac(target)
    assert mac.send(mpdu()) == "WM_OK"
    for _ in range(4):
        target.call("csma_double_clear", 0)
        for _ in range(4):
            mac.alarm()
        target.call("csma_double_clear", 1)
        mac.alarm()
        mac.alarm()
        assert mac.noted("alarm") < 8 * UNIT
    mac.alarm()
    assert (mac.noted("sent"), mac.noted("tried"), mac.noted("result")) == (4, 20, NO_ACK)


@pytest.mark.parametrize(
    ("pan", "address", "seed"), [(PAN, OWN, 0), (PAN, 0xFFFF, 1), (PAN, 0xFFFE, 1)]
)
def test_no_mac(target: Target, pan: int, address: int, seed: int) -> None:
    """Seed 0 draws nothing but 0; nobody has the addresses."""
    mac = target.pack("wm_csma")
    assert name_of(target.call("wm_csma_init", mac, pan, address, seed).value) == "WM_ERR_PARAM"


BAD = {
    "an ack": (bytes([ACK, 0, 1]), "WM_ERR_MALFORMED"),
    "nothing": (b"", "WM_ERR_MALFORMED"),
    "cut": (mpdu()[:6], "WM_ERR_MALFORMED"),
    "everybody is to acknowledge": (mpdu(dst=EVERYBODY), "WM_ERR_MALFORMED"),
    "too long": (mpdu(126), "WM_ERR_FRAME_TOO_LONG"),
    "no sequence number": (Frame(version=2, seq=None).clear(), "WM_ERR_MALFORMED"),
}


@pytest.mark.parametrize("name", BAD)
def test_frames_that_are_not_sent(target: Target, name: str) -> None:
    """They change nothing."""
    frame, status = BAD[name]
    mac = Mac(target)
    assert as_built(target, mac.send(frame), status)
    if name == "too long" and frame_max(target) > len(frame):
        return
    assert (mac.sending(), mac.noted("alarms"), mac.noted("loaded")) == (False, 0, 0)


@pytest.mark.parametrize("address", [0x12FF, 0xFF12])
def test_half_of_everybodys_address(target: Target, address: int) -> None:
    """A node whose address has one octet of 0xFF acknowledges."""
    assert Mac(target).send(mpdu(dst=address)) == "WM_OK"


def test_whose_frames(target: Target) -> None:
    """For this node or everybody, in this PAN or every PAN; commands and beacons of this PAN too."""
    mac = Mac(target)
    for_us = [
        mpdu(dst=OWN, src=PEER),
        mpdu(dst=EVERYBODY, src=PEER, ack=False),
        mpdu(dst=OWN, src=PEER, pan=0xFFFF),
        mpdu(dst=OWN, src=PEER, kind=COMMAND),
        (0x8000).to_bytes(2, "little") + b"\1" + PAN.to_bytes(2, "little") + bytes(10),
    ]
    others = [
        mpdu(dst=OWN + 1, src=PEER),
        mpdu(dst=OWN, src=PEER, pan=PAN + 1),
        mpdu(dst=OWN, src=PEER, kind=ACK),
        (0x8001).to_bytes(2, "little") + b"\1" + PAN.to_bytes(2, "little") + bytes(10),
        (0x8000).to_bytes(2, "little") + b"\1" + bytes(12),
        (0x8C41).to_bytes(2, "little") + b"\1" + PAN.to_bytes(2, "little") + bytes(20),
    ]
    assert [mac.receive(frame, again=False)[0] for frame in for_us] == ["WM_OK"] * len(for_us)
    assert {mac.receive(frame)[0] for frame in others} == {"WM_ERR_NOT_FOR_US"}
    assert mac.receive(mpdu(dst=OWN)[:6])[0] == "WM_ERR_MALFORMED"
    assert mac.receive(b"")[0] == "WM_ERR_MALFORMED"


def test_repeated_frames(target: Target) -> None:
    """A sender's last number again is the same frame; of another sender, or after another number, it
    is not. Eight senders are kept, the one heard longest ago goes."""
    mac = Mac(target)

    def came(src: int, seq: int) -> bool:
        return mac.receive(mpdu(dst=OWN, src=src, seq=seq))[1]

    assert [came(1, 5), came(1, 5), came(2, 5), came(1, 6), came(1, 5)] == [False, True] + 3 * [
        False
    ]
    for src in range(1, 9):
        assert came(src, 50 + src) is False
    assert all(came(src, 50 + src) for src in range(1, 9))
    assert came(9, 1) is False
    assert came(1, 51) is False, "it was heard longest ago"
    assert came(9, 1) is True
    without = (0x0841).to_bytes(2, "little") + b"\5" + PAN.to_bytes(2, "little")
    without += OWN.to_bytes(2, "little") + bytes(4)
    assert [mac.receive(without)[1] for _ in range(2)] == [False, False]


def test_lengths(target: Target) -> None:
    """The longest frame there is."""
    mac = Mac(target)
    assert mac.send(mpdu(125)) == "WM_OK"
    mac.alarm()
    assert mac.noted("alarm") == on_air(125)
