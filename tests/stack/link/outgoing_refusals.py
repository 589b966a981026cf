# SPDX-License-Identifier: BSD-3-Clause
"""Frames that the outgoing procedure refuses, in the order of its checks."""

from collections.abc import Iterator
from dataclasses import replace

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, Frame
from tests.stack.link import refused
from tests.stack.link.editions import E2006, E2011, E2012E, E2015, EDITIONS, USED_UP
from tests.stack.link.frames import ALL_ONES_ASN, ASN, ash, to_peer
from tests.stack.link.peers import OWN, PAN, PEER, THIRD
from tests.stack.link.pib import Key, Lookup, Params, Pib
from tests.stack.link.refused import Outgoing

V1, V2 = to_peer(), to_peer(version=2, compression=False)
EB = Frame(
    BEACON, dst=b"\xff\xff", src=OWN, header_ies=model.HT1, private_part=model.Beacon(ASN).payload()
)
LONGEST = to_peer(bytes(125 - len(to_peer(b"", ash=ash()).mhr()) - 4))
"""What just fits with an ASH and a MIC of 4 octets."""


def unreadable() -> Iterator[Outgoing]:
    """Frames and parameters that make no sense."""
    v1, v2, usual = V1.clear(), V2.clear(), Pib()
    legacy = to_peer(version=0, ash=ash()).clear()
    yield Outgoing("one octet", refused.MALFORMED, usual, v1[:1])
    yield Outgoing("cut address", refused.MALFORMED, usual, v1[:10])
    yield Outgoing("multipurpose", refused.NOT_FOR_US, usual, b"\x05\x00" + bytes(10))
    yield Outgoing("secured version 0", refused.LEGACY, usual, legacy)
    yield Outgoing("has an ASH", refused.PARAM, usual, to_peer(ash=ash()).clear())
    for name, params in (
        ("level 8", Params(8)),
        ("KeyIdMode 4", Params(mode=4)),
        ("KeyIndex 0", Params(index=0)),
    ):
        yield Outgoing(name, refused.PARAM, usual, v1, params)
    yield Outgoing("version 2 in 2006", refused.PARAM, Pib(E2006), v2)
    yield Outgoing("version 2 in 2011", refused.PARAM, Pib(E2011), v2)


def unsupported() -> Iterator[Outgoing]:
    """What no edition or nonce form has."""
    v1, usual = V1.clear(), Pib()
    yield Outgoing("level 4 in 2015", refused.UNSUPPORTED, usual, v1, Params(4))
    for name, pib, frame in (
        ("encrypted beacon in 2012e", Pib(E2012E), EB.clear()),
        ("encrypted beacon in 2015", usual, EB.clear()),
        ("Imm-Ack", usual, Frame(ACK, 1, 7).clear()),
        ("version 1 in TSCH", Pib(asn_form=True), v1),
    ):
        yield Outgoing(name, refused.UNSUPPORTED, pib, frame)


def too_long() -> Iterator[Outgoing]:
    """What the ASH or the MIC makes longer than a frame or its buffer may be."""
    v1, usual, longest = V1.clear(), Pib(), LONGEST.clear()
    mode_3 = Pib(keys=(Key(lookups=(Lookup(3, 1, bytes(8)),)),))
    named = Params(mode=3, source=bytes(8))
    yield Outgoing("one octet over 127", refused.TOO_LONG, usual, longest + b"\0")
    yield Outgoing("level 7 over 127", refused.TOO_LONG, usual, longest, Params(7))
    yield Outgoing("KeyIdMode 3 over 127", refused.TOO_LONG, mode_3, longest, named)
    yield Outgoing("too small a buffer", refused.TOO_LONG, usual, v1, size=len(v1) + 6 + 3)


def used_up() -> Iterator[Outgoing]:
    """Counters and slots that secure no further frame."""
    v2, all_ones = V2.clear(), ALL_ONES_ASN
    per_key = Pib(keys=(Key(counter=USED_UP),))
    yield Outgoing("key's counter used up", refused.COUNTER, per_key, V1.clear())
    for name, pib in (
        ("ASN all ones", Pib(asn_form=True, asn=all_ones)),
        ("ASN all ones in 2012e", Pib(E2012E, True, asn=all_ones)),
        ("ASN used", Pib(asn_form=True, asn_used=True)),
    ):
        yield Outgoing(name, refused.COUNTER, pib, v2)


def without_key() -> Iterator[Outgoing]:
    """Parameters that name no key of the PIB."""

    def only(*lookup: Lookup) -> Pib:
        return Pib(keys=(Key(lookups=lookup),))

    keyless = Pib(keys=(), counter=USED_UP)
    mode_2, other_2 = Params(mode=2, source=b"abcd"), Params(mode=2, source=b"abce")
    for name, pib, params in (
        ("no KeyIdMode 0 entry", Pib(), Params(mode=0)),
        ("other device", only(Lookup(0, 0, THIRD)), Params(mode=0)),
        ("other PAN", only(Lookup(0, 0, PEER, PAN + 1)), Params(mode=0)),
        ("other default key source", Pib(default_source=bytes(8)), Params()),
        ("2: source of mode 3", only(Lookup(3, 1, b"abcd")), mode_2),
        ("2: other source", only(Lookup(2, 1, b"abcd")), other_2),
        ("3: other source", only(Lookup(3, 1, b"abcdefgh")), Params(mode=3, source=b"bbcdefgh")),
        ("no key although a counter", keyless, Params()),
    ):
        yield Outgoing(name, refused.NO_KEY, pib, V1.clear(), params)


def unstored() -> Iterator[Outgoing]:
    """Counters whose place the store does not have."""
    of_key = Pib(keys=(Key(counter=5, slot=3),))
    yield Outgoing("slot that the store has not", refused.STORAGE, Pib(slot=3), V1.clear())
    yield Outgoing("key's slot that the store has not", refused.STORAGE, of_key, V1.clear())


def in_edition(edition: int) -> Iterator[Outgoing]:
    """The rows that all editions share, and which of two faults an edition before 2015 names."""
    v1, keyless = V1.clear(), Pib(edition, keys=())
    used = Pib(edition, counter=USED_UP)
    disabled, other = Pib(edition, enabled=False), Params(index=2)
    yield Outgoing(f"secEnabled FALSE, {edition}", refused.UNSUPPORTED, disabled, v1)
    yield Outgoing(f"counter used up, {edition}", refused.COUNTER, used, v1)
    yield Outgoing(f"no keys, {edition}", refused.NO_KEY, keyless, v1)
    yield Outgoing(f"other index, {edition}", refused.NO_KEY, Pib(edition), v1, other)
    if edition != E2015:
        both = replace(keyless, counter=USED_UP)
        yield Outgoing(f"counter before key, {edition}", refused.COUNTER, both, v1)


TABLES: dict[str, tuple[Outgoing, ...]] = {
    "unreadable": tuple(unreadable()),
    "unsupported": tuple(unsupported()),
    "too long": tuple(too_long()),
    "used up": tuple(used_up()),
    "without key": tuple(without_key()),
    "unstored": tuple(unstored()),
    **{f"edition {edition}": tuple(in_edition(edition)) for edition in EDITIONS},
}
"""Every row, by what it is about."""
