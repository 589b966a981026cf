# SPDX-License-Identifier: BSD-3-Clause
"""Image `tinysec` on Mica2: its packets on the air, what it accepts, the channel shared, routes."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.conftest import ROOT
from tests.model.tinysec_model import Message, Node, ae, auth, plain, standard
from wardmote.elf import Memory, read
from wardmote.experiments.tinysec.network import (
    AE,
    ANY,
    AUTH,
    AUTHENTICATED,
    BASE,
    BYTE_TIME_MS,
    CRC,
    DONE,
    FLUSH,
    GROUP,
    KEY,
    MS,
    PLAIN,
    ROUTER,
    SENDER,
    START_SYMBOL,
    STOPPED,
    Report,
    Setup,
)
from wardmote.experiments.tinysec.network import Network as Motes
from wardmote.published import load

PROFILES = ("paper", "shipped")
TYPE_DATA, EEPROM = 4, 0x81_0000


class Network(Motes):
    """Mica2 motes in one medium, whose packets are captured."""

    def __init__(self, image: str, *setups: Setup, seed: int = 1) -> None:
        elf = (ROOT / f"build/firmware/mica2/tinysec-{image}.elf").read_bytes()
        super().__init__("mica2", elf, setups, seed)
        self.simulation.capture()

    def packets(self, mote: int) -> list[bytes]:
        """What it has sent, without start symbol and flush."""
        return [
            octets[:-FLUSH]
            for sender, _, _, octets, complete in self.simulation.frames()
            if sender == mote and complete
        ]


BY = Setup(1, role=SENDER, packets=3)


def one_way(image: str, by: Setup, milliseconds: int = 900) -> Network:
    """A receiver and a sender."""
    to = Setup(0, mode=by.mode, profile=by.profile)
    return Network(image, to, by).run(milliseconds)


def expected(cipher: str, mode: int, profile: str, octets: int) -> list[bytes]:
    """The first packets of a sender, by the model."""
    node = Node(KEY, profile, cipher)
    message = Message(0, TYPE_DATA, bytes(range(octets)))
    if mode == AE:
        return [ae(node, message, counter) for counter in range(3)]
    return 3 * [auth(node, message)]


@pytest.mark.parametrize("octets", [0, 7, 24, 29])
@pytest.mark.parametrize("mode", [AUTH, AE], ids=["auth", "ae"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("cipher", ["skipjack", "rc5"])
def test_packets_on_the_air_are_those_of_the_model(
    cipher: str, profile: str, mode: int, octets: int
) -> None:
    """Octet for octet, and the receiver takes each of them. No packet of 0 octets stops it."""
    network = one_way(
        cipher, replace(BY, mode=mode, profile=PROFILES.index(profile), data_octets=octets)
    )
    assert network.packets(1) == expected(cipher, mode, profile, octets)
    assert network.report(0) == Report(0, 3, *8 * [0])
    assert network.report(1)._replace(congested=0) == Report(3, *9 * [0])


@pytest.mark.parametrize(("image", "mode"), [("none", PLAIN), ("skipjack", AE)])
def test_the_last_octet_is_sent_four_times_more(image: str, mode: int) -> None:
    """So that it leaves the radio whole. A preamble there would keep others from the channel."""
    frames = one_way(image, replace(BY, mode=mode)).simulation.frames()
    assert len(frames) == 3
    for _, _, _, octets, _ in frames:
        assert octets[-FLUSH:] == FLUSH * octets[-FLUSH - 1 : -FLUSH]


@pytest.mark.parametrize("octets", [0, 24, 29])
def test_packets_without_tinysec_are_those_of_tinyos(octets: int) -> None:
    """Group before length, and a CRC."""
    network = one_way("none", replace(BY, mode=PLAIN, data_octets=octets))
    message = Message(0, TYPE_DATA, bytes(range(octets)))
    assert network.packets(1) == 3 * [standard(message, GROUP)]
    assert network.report(0).received == 3


def test_a_plain_packet_is_checked_while_it_comes() -> None:
    """As in TinyOS: no octet keeps the receiver busy for longer than an octet takes on the air, and so
    not the last one either."""
    network = Network("none", Setup(0, mode=PLAIN), replace(BY, mode=PLAIN, data_octets=29)).run(20)
    network.simulation.states(0)
    network.run(900)
    assert network.report(0).received == 3
    states = [
        (at, now) for at, device, now, _, _ in network.simulation.states(0) if device == "cpu"
    ]
    busy = [after - at for (at, now), (after, _) in pairwise(states) if now == "active"]
    assert len(busy) > 1000
    assert max(busy) < BYTE_TIME_MS * MS


@pytest.mark.parametrize("mode", [AUTH, AE], ids=["auth", "ae"])
def test_a_short_preamble_leaves_time_for_the_cipher(mode: int) -> None:
    """With 8 octets, as later TinyOS has it, no packet is late."""
    network = one_way("skipjack", replace(BY, mode=mode, preamble=8, data_octets=29))
    assert network.report(0).received == 3
    assert network.report(1).late == 0


REFUSALS = {
    "another key": Setup(0, mode=AE, key=bytes(range(16))),
    "another key for the tag": Setup(0, mode=AE, key=KEY[:8] + bytes(8)),
    "another profile": Setup(0, mode=AE, profile=1),
    "plain packets alone": Setup(0, mode=PLAIN, accept=CRC),
}


@pytest.mark.parametrize("name", list(REFUSALS))
def test_receiver_refuses(name: str) -> None:
    """The application sees none of it."""
    network = Network("skipjack", REFUSALS[name], replace(BY, mode=AE)).run(900)
    assert network.report(0) == Report(0, 0, 3, *7 * [0])


def test_plain_packets_are_refused_where_tags_are_wanted() -> None:
    """And taken where all are."""
    sender = replace(BY, mode=PLAIN)
    for accept, received in ((AUTHENTICATED, 0), (ANY, 3)):
        network = Network("skipjack", Setup(0, accept=accept), sender).run(900)
        assert network.packets(1) == 3 * [plain(Message(0, TYPE_DATA, bytes(range(24))), GROUP)]
        assert network.report(0)[1:3] == (received, 3 - received)


def test_packets_for_others_are_left_alone() -> None:
    """They are neither received nor refused."""
    network = Network("skipjack", Setup(7), BY).run(900)
    assert network.report(0) == Report(*10 * [0])
    assert network.report(1).sent == 3


def test_a_setup_out_of_range_stops_the_node() -> None:
    """An image without TinySec sends nothing but plain packets; roles and lengths have limits."""
    for image, wrong in (
        ("none", Setup(0, mode=AUTH)),
        ("skipjack", Setup(0, role=4)),
        ("skipjack", Setup(0, preamble=3)),
        ("skipjack", Setup(0, data_octets=30)),
        ("skipjack", Setup(0, mode=4)),
    ):
        network = Network(image, wrong).run(5)
        assert network.state(0) == STOPPED


def test_senders_share_the_channel() -> None:
    """Four senders in range of each other, equally loud to the base. Each gets its part, most of what
    is sent does not collide, and the channel is busier than with one.

    From the measurement of the channel to the carrier are 0.9 octet times. Four senders ask in about
    11, so that no other does in 0.9 before the next with e^-0.3 = 0.74, and else two are lost: 0.74 to
    1.26 are received of what is sent, 0.59."""
    senders = [Setup(n, role=SENDER, mode=AE, seed=7919 * n) for n in range(1, 5)]
    network = Network("skipjack", Setup(0), *senders).run(3000)
    sent = [network.report(mote).sent for mote in range(1, 5)]
    alone = one_way("skipjack", replace(BY, mode=AE, packets=0), 3000).report(1).sent
    assert min(sent) > 0.1 * sum(sent)
    assert sum(sent) > alone
    assert 0.5 * sum(sent) < network.report(0).received <= sum(sent)
    assert all(network.report(mote).late == 0 for mote in range(5))


@pytest.mark.parametrize(("image", "mode"), [("none", PLAIN), ("skipjack", AE)])
def test_a_back_off_rests_until_a_packet_for_others_has_ended(image: str, mode: int) -> None:
    """Two senders hear each other's packets to their ends, so that they look at the channel when it is
    clear."""
    senders = [Setup(n, role=SENDER, mode=mode, seed=7919 * n) for n in (1, 2)]
    network = Network(image, Setup(0, mode=mode), *senders).run(3000)
    sent, congested = (
        sum(getattr(network.report(mote), name) for mote in (1, 2))
        for name in ("sent", "congested")
    )
    assert sent > 80
    assert congested < 0.5 * sent


def test_five_measurements_of_a_busy_channel_take_two_octet_times() -> None:
    """Where the channel is never clear, a back-off of 1 to 16 octet times ends in the first of two in
    which it is measured: 9.5 a time, in 2 s."""
    network = Network("none", replace(BY, mode=PLAIN, clear=1023)).run(2000)
    expected_times = 2000 / BYTE_TIME_MS / 9.5
    assert network.report(0).congested == pytest.approx(expected_times, rel=0.05)
    assert network.report(0).sent == 0


PARENTS = (0, 0, 1, 0, 3)
"""Of five routers; 0 is the landmark. From 2 to 4 are four hops."""


@pytest.mark.parametrize("image", ["none", "skipjack"])
def test_a_message_goes_by_way_of_the_landmark(image: str) -> None:
    """Six transmissions a journey, between neighbours of the tree and the base alone."""
    mode = PLAIN if image == "none" else AE
    routers = [
        Setup(mote, role=ROUTER, mode=mode, parent=parent, seed=mote + 1)
        for mote, parent in enumerate(PARENTS)
    ]
    base = Setup(39, role=BASE, mode=mode, begin=2, end=4, packets=3, seed=9)
    network = Network(image, *routers, base)
    for sender in range(5):
        for receiver in range(5):
            if sender not in (receiver, PARENTS[receiver]) and receiver != PARENTS[sender]:
                network.simulation.set_loss(sender, receiver, 1.0)
    network.run(3500)
    report = network.report(5)
    assert (report.journeys, report.arrived, network.state(5)) == (3, 3, DONE)
    crumb, order = 1, 1  # the base calls once for a crumb, and orders each journey
    assert [network.report(mote).sent for mote in range(6)] == [
        *(3 * order, 3 * order, 3 * order, 3 * order + crumb, 3 * order + crumb),
        3 * order + crumb,
    ]
    octets = START_SYMBOL + len(network.packets(0)[0]) + FLUSH
    for took in network.took(5)[:3]:
        ms = took * 8 / 7372.8
        assert 6 * (octets + 1) * BYTE_TIME_MS < ms < 6 * (octets + 52) * BYTE_TIME_MS


@pytest.mark.parametrize("image", ["skipjack", "ccm", "ascon"])
def test_a_reset_reuses_no_iv(image: str) -> None:
    """The counters of a node that begins again with its EEPROM are above all it has used."""
    counters, kept = [], b""
    for _ in range(3):
        network = Network(image, replace(BY, mode=AE))
        if kept:
            network.simulation.write(0, EEPROM, kept)
        network.run(900)
        counters += [int.from_bytes(packet[6:8], "little") for packet in network.packets(0)]
        kept = network.simulation.read(0, EEPROM, 4096)
    assert len(counters) == 9
    assert all(before < after for before, after in pairwise(counters))


def test_the_footprint_is_within_the_papers() -> None:
    """What TinySec adds to the image, its counter store included: at most the paper's flash, and the
    RAM of its later version. It does not link what a mote with one key has no use for."""
    images = {
        name: (ROOT / f"build/firmware/mica2/tinysec-{name}.elf").read_bytes()
        for name in ("none", "skipjack")
    }
    flash, ram = (
        read(images["skipjack"], "skipjack").octets(memory)
        - read(images["none"], "none").octets(memory)
        for memory in (Memory.FLASH, Memory.RAM)
    )
    printed = load("tinysec")["footprint_bytes"]
    assert 0 < flash <= printed["rom"]
    assert 0 < ram <= printed["ram_later"]
    for absent in (b"wm_tinysec_link", b"wm_tinysec_change_keys", b"wm_cbc_", b"wm_rc5_"):
        assert absent not in images["skipjack"]


def test_the_power_fails_while_the_counter_is_written() -> None:
    """Whichever octet of the EEPROM is interrupted, whatever it reads as then: a mote that begins
    again goes on above all IVs that it has used."""
    sender, wait = replace(BY, mode=AE, packets=1), 300
    kept, last = b"", -1
    for cut in range(21):
        network = Network("skipjack", sender)
        if kept:
            network.simulation.write(0, EEPROM, kept)
        network.simulation.power_cut(0, cut, operation=cut % 7)
        network.run(wait)
        counters = [int.from_bytes(packet[6:8], "little") for packet in network.packets(0)]
        assert all(counter > last for counter in counters)
        last = max([last, *counters])
        kept = network.simulation.read(0, EEPROM, 4096)
    assert last >= 1024
