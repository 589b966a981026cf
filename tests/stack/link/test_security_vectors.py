# SPDX-License-Identifier: BSD-3-Clause
"""Printed and derived vectors through the security procedures: what the single-frame layer does,
tables must find."""

import itertools

from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA
from tests.stack.conftest import target_named
from tests.stack.link.editions import E2006, E2011, E2012E, E2015, USED_UP
from tests.stack.link.linklib import Link, admitted
from tests.stack.link.pib import Device, Key, KeyDevice, Level, Lookup, Params, Pib
from tests.stack.link.securitylib import Node
from tests.vectors import Vector, load, named, of_each_file
from wardmote.call import Target

VECTORS = [
    v
    for folder in ("link_security", "tsch")
    for v in load(folder)
    if v.type == "frame-security" and v.octets("secured")
]
LEVELS = tuple(Level(type, minimum=0) for type in (BEACON, DATA, ACK, COMMAND))


def node_for(
    target: Target, vector: Vector, edition: int, *, sender: bool
) -> tuple[Node, bytes, Params]:
    """A node that shares the vector's key with the other end, its frame without ASH, and the
    parameters of that ASH."""
    link = Link.__new__(Link)
    link.target = target
    clear = vector.octets("clear")
    status, mhr, places = link.parse(clear, on_air=False)
    assert status == "WM_OK"
    ash, src = mhr["ash"], mhr["src"]
    known = vector.octets("srcExt")
    ext = src["octet"] if src["mode"] == 3 else known or bytes(8)
    short = src["octet"][:2] if src["mode"] == 2 else b""
    mode, index = ash["key_id_mode"], ash["key_index"]
    source = {0: b"", 1: bytes(8), 2: ash["key_source"][:4], 3: ash["key_source"]}[mode]
    if mode == 0:
        other = mhr["dst"] if sender else mhr["src"]
        length = {0: 0, 2: 2, 3: 8}[other["mode"]]
        pan = mhr["dst_pan"] if sender else mhr["src_pan"]
        lookup = Lookup(0, 0, other["octet"][:length] or ext, pan if length else 0x1234)
    else:
        lookup = Lookup(mode, index, source)
    entry = KeyDevice(0, ash["frame_counter"])
    pib = Pib(
        edition=edition,
        asn_form=bool(vector.number("nonceForm")),
        keys=(Key(vector.octets("key"), (lookup,), devices=(entry,)),),
        devices=(Device(ext, short, mhr["src_pan"], counter=ash["frame_counter"]),),
        levels=LEVELS,
        counter=ash["frame_counter"],
        pan=0x1234,
        coordinator=ext,
        own=ext,
        default_source=bytes(8),
        asn=int.from_bytes(vector.octets("asn"), "big"),
    )
    bare = bytes([clear[0] & ~8]) + clear[1 : places["ash"]] + clear[places["header_ie"] :]
    return (
        Node(target, pib),
        bare,
        Params(ash["level"], mode, index, source[: {2: 4, 3: 8}.get(mode, 0)]),
    )


def editions_of(vector: Vector) -> tuple[int, ...]:
    """Editions in which the vector's frame exists."""
    frame = vector.octets("clear")
    version, level4 = frame[1] >> 4 & 3, vector.number("profile") == 1
    found = (E2006, E2011, E2012E, E2015) if version == 1 else (E2012E, E2015)
    short_nonce = vector.number("nonceForm") == 1 and frame[1] >> 6 == 2
    return tuple(
        e for e in found if not (e == E2015 and level4) and not (e == E2012E and short_nonce)
    )


def check_outgoing(target: Target, vector: Vector, edition: int) -> None:
    """The outgoing procedure makes the frame on the air from the frame without ASH, and the counter
    goes on."""
    node, bare, params = node_for(target, vector, edition, sender=True)
    assert node.check() == "WM_OK"
    before = node.counter()
    made = node.secure(bare, params)
    assert (made.status, made.octets.hex()) == ("WM_OK", vector.members["secured"])
    asn_form = bool(vector.number("nonceForm"))
    assert (node.counter() - before, node.state()["asn_used"]) == (
        (0, True) if asn_form else (1, False)
    )


def check_incoming(target: Target, vector: Vector, edition: int) -> None:
    """The incoming procedure finds key, device and level, gives the frame in clear, and takes it
    once."""
    node, _, params = node_for(target, vector, edition, sender=False)
    assert node.check() == "WM_OK"
    secured = vector.octets("secured")
    found = node.unsecure(secured)
    assert (found.status, found.octets.hex()) == (
        admitted(params.level),
        vector.members["clear"],
    )
    assert (found.result["key"], found.result["device"], found.result["level"]) == (
        0,
        0,
        params.level,
    )
    assert found.result["key_id_mode"] == params.mode
    last = (
        found.result["mhr"]["ash"]["frame_counter"] == USED_UP - 1
        and edition != E2015
        and params.level != 4
    )
    refusal = (
        "WM_ERR_UNAVAILABLE_DEVICE" if last else "WM_ERR_COUNTER"
    )  # a used up device is blacklisted
    again = admitted(params.level) if vector.number("nonceForm") else refusal
    assert node.unsecure(secured).status == again


def check_both(target: Target, vectors: list[Vector]) -> None:
    """Both procedures in every edition that has the vector, each with a node of its own."""
    for vector in vectors:
        for edition, check in itertools.product(
            editions_of(vector), (check_outgoing, check_incoming)
        ):
            target.reset()
            with named(f"{vector}, edition {edition}"):
                check(target, vector, edition)


@of_each_file(VECTORS)
def test_vectors_on_the_host(vectors: list[Vector]) -> None:
    """Every vector in every edition that has it, both ways."""
    check_both(target_named("host"), vectors)


@of_each_file(VECTORS)
def test_vectors(target: Target, vectors: list[Vector]) -> None:
    """The printed and the TSCH vectors, and one in eight of the others, on every target, both
    ways."""
    check_both(target, vectors[:: 8 if "levels" in vectors[0].file else 1])
