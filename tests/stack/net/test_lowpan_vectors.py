# SPDX-License-Identifier: BSD-3-Clause
"""6LoWPAN on every CPU: each vector expanded, compressed, put together, or refused."""

from __future__ import annotations

from tests.model.lowpan_model import Context, Net
from tests.stack.net.lowpanlib import Lowpan
from tests.stack.net.test_lowpan_fragments import HEADERS as FRAGMENTS
from tests.stack.net.test_lowpan_fragments import Receiver
from tests.vectors import Vector, load, named
from vectors.generate_lowpan import LAYOUTS
from wardmote.call import Target

HEADERS = FRAGMENTS


def some(target: Target, vectors: list[Vector]) -> list[Vector]:
    """All on the host; elsewhere one in seven."""
    return vectors if target.name.startswith("host") else vectors[::7]


def net_of(vector: Vector) -> Net:
    """What both sides of a vector know."""
    contexts = (Context(int(one["prefix"], 16), one["bits"]) for one in vector.members["contexts"])
    return Net(tuple(contexts), vector.octets("src"), vector.octets("dst"))


def lowpan_of(target: Target, vector: Vector) -> Lowpan:
    """6LoWPAN of that network."""
    return Lowpan(target, net_of(vector), ipsec=LAYOUTS[vector.parameters["layout"]])


def test_every_packet(target: Target) -> None:
    """It is expanded, and its shortest form has as many octets as the vector says and is expanded
    too."""
    for vector in some(target, load("lowpan", "lowpan")):
        with named(f"{vector}, {vector.comment}"):
            lowpan, packet = lowpan_of(target, vector), vector.octets("packet")
            octets = vector.octets("octets")
            assert lowpan.expand(octets) == ("WM_OK", packet)
            status, _, shortest = lowpan.compress(packet, elide=True)
            assert status == "WM_OK"
            assert lowpan.expand(shortest) == ("WM_OK", packet)
            least = vector.members.get("least")
            assert len(shortest) <= len(octets) if least is None else len(shortest) == least


def test_every_refusal(target: Target) -> None:
    """With its status."""
    for vector in some(target, load("lowpan", "lowpan-refusal")):
        with named(f"{vector}, {vector.comment}"):
            lowpan = lowpan_of(target, vector)
            assert lowpan.expand(vector.octets("octets")) == (vector.members["status"], b"")


def test_every_series_of_fragments(target: Target) -> None:
    """Each fragment is answered as the vector says."""
    for vector in some(target, load("lowpan", "lowpan-fragments")):
        with named(f"{vector}, {vector.comment}"):
            receiver = Receiver(target, net_of(vector))
            for call in vector.members["calls"]:
                want = call["status"], bytes.fromhex(call["packet"])
                assert receiver.take(bytes.fromhex(call["octets"])) == want


def test_a_third_are_refusals() -> None:
    """Refusing is tested as much as accepting."""
    everything = load("lowpan")
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)
