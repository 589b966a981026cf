# SPDX-License-Identifier: BSD-3-Clause
"""IPsec on every CPU: every packet of the model both ways, and every refusal."""

from __future__ import annotations

from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import IN, OUT, Node, node, sas_of, some
from tests.vectors import load, named
from vectors.generate_ipsec import OURS
from wardmote.call import Target

HEADERS = ipseclib.HEADERS


def test_every_packet_is_taken(target: Target) -> None:
    """The receiver gets the clear packet out of the vector's, and not a second time."""
    for vector in some(target, load("ipsec", "ipsec")):
        with named(f"{vector}, {vector.comment}, {vector.parameters}"):
            sas = sas_of(vector)
            receiver = node(target, IN, sas)
            packet, sequence = vector.octets("packet"), vector.number("sequence")
            safe = all(sa.suite.is_ah or sa.suite.secure for sa in sas)
            want = "WM_OK" if safe else "WM_NOT_AUTHENTICATED"
            assert receiver.unsecure(packet) == (want, vector.octets("clear"))
            again, _ = receiver.unsecure(packet)
            assert again == ("WM_ERR_COUNTER" if safe else want)
            assert receiver.sa(IN)["sequence"] == (sequence if safe else 0)


def test_every_packet_is_made(target: Target) -> None:
    """The sender makes the vector's packet, octet for octet."""
    for vector in some(target, load("ipsec", "ipsec")):
        with named(f"{vector}, {vector.comment}, {vector.parameters}"):
            sas = sas_of(vector)
            policy = {"remote": OURS, "prefix": 128, "action": ipseclib.PROTECT}
            for sa in sas:
                policy["ah" if sa.suite.is_ah else "esp"] = ipseclib.GROUP
            profile = {"profile": int(not all(sa.suite.is_ah or sa.suite.secure for sa in sas))}
            sender = Node(target, [(OUT, sa) for sa in sas], profile, [policy])
            for at in range(len(sas)):
                sender.go_on_from(OUT, at, vector.number("sequence") - 1)
            clear, packet = vector.octets("clear"), vector.octets("packet")
            assert sender.secure(clear, len(packet) - 1)[0] == "WM_ERR_FRAME_TOO_LONG"
            assert sender.secure(clear, len(packet)) == ("WM_OK", packet)


def test_a_third_are_refusals() -> None:
    """Refusing is tested as much as accepting."""
    everything = load("ipsec")
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)


def test_every_refusal(target: Target) -> None:
    """A packet is refused with its status, and nothing is left of it."""
    for vector in some(target, load("ipsec/refusals.json")):
        with named(f"{vector}, {vector.comment}, {vector.parameters}"):
            receiver = node(target, IN, sas_of(vector))
            assert receiver.unsecure(vector.octets("packet"))[0] == vector.members["status"]
