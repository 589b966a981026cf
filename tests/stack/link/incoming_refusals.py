# SPDX-License-Identifier: BSD-3-Clause
"""Frames that the incoming procedure refuses, by the rows of its table."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, Frame
from tests.stack.link import frames, refused
from tests.stack.link.editions import E2006, E2011, E2012E, E2015, EDITIONS, USED_UP
from tests.stack.link.frames import ALL_ONES_ASN, ASN, air, ash, behind_ash, data, flipped, in_slot
from tests.stack.link.peers import OTHER_KEY, PAN, PEER, PEER_SHORT, THIRD
from tests.stack.link.pib import ALL_TYPES, Device, IeUse, Key, KeyDevice, Level, Lookup, Pib
from tests.stack.link.refused import Incoming

V1 = data(ash=ash())
V2 = data(ash=ash(), version=2, compression=False)
TSCH = data(ash=ash(5, None), version=2, compression=False)
CLEAR = data()
EB = Frame(
    BEACON,
    dst=b"\xff\xff",
    src=PEER,
    ash=ash(),
    header_ies=model.HT1,
    private_part=model.Beacon(ASN).payload(),
)
WITH_IES = replace(
    V2,
    header_ies=model.time_correction(5) + model.HT1,
    private_part=model.payload_ie(
        1, model.nested_ie(0x1A, bytes(6)) + model.nested_ie(9, b"\0", long=True)
    )
    + model.payload_ie(2, b"vendor")
    + model.payload_ie(0xF, b"")
    + b"payload",
)
V1_AIR = air(V1)
USUAL = Pib()
BEHIND_V1 = behind_ash(V1)


def command(identifier: int, version: int = 1, level: int = 5, counter: int | None = 7) -> Frame:
    """A secured command frame from PEER; its identifier is open in version 1 and private in version
    2."""
    octet = bytes([identifier])
    parts: dict[str, Any] = {"private_part": octet + b"content"}
    if version == 1:
        parts = {"open_part": octet, "private_part": b"content"}
    return replace(
        V1,
        type=COMMAND,
        version=version,
        compression=version == 1,
        ash=ash(level, counter),
        **parts,
    )


def unreadable() -> Iterator[Incoming]:
    """Frames that cannot be read."""
    control = len(V1.addressing())
    clear_v2 = V2.with_ash(None).clear()

    def row(name: str, frame: bytes, pib: Pib = USUAL, behind: int | None = None) -> Incoming:
        return Incoming(name, refused.MALFORMED, pib, frame, behind)

    yield row("one octet", V1_AIR[:1])
    yield row("ends in the addresses", V1_AIR[: control - 1])
    yield row("ends in the ASH", V1_AIR[: control + 5])
    yield row("ends in the MIC", V1_AIR[: len(V1.mhr()) + 3])
    yield row("KeyIndex 0", air(replace(V1, ash=ash(index=0))))
    yield row("counter suppressed in version 1", flipped(V1_AIR, control, 0x20))
    yield row("version 2 in 2006", air(V2), Pib(E2006))
    yield row("version 2 in 2011", air(V2), Pib(E2011))
    yield row("clear version 2 in 2006", clear_v2, Pib(E2006, enabled=False))
    nameless = replace(command(1, 2), private_part=b"")
    yield row("command without identifier", air(nameless), behind=behind_ash(nameless))
    yield row("the same, readable", air(replace(nameless, ash=ash(1))))
    yield row("the same, unsecured", nameless.with_ash(None).clear())
    policy = Pib(ie_usage=(IeUse(frames.NESTED_SHORT, 0x1B, (5,)),))
    for name, pib, ies in (
        ("payload IE past the end", Pib(), model.payload_ie(2, b"vendor")[:-1]),
        ("payload termination with content", Pib(), model.payload_ie(0xF, b"x") + b"payload"),
        ("nested IE past the end", policy, model.payload_ie(1, b"\x06\x1a\0")),
    ):
        frame = replace(WITH_IES, private_part=ies)
        yield row(name, air(frame), pib, behind_ash(frame))


def unsupported() -> Iterator[Incoming]:
    """Frames that no edition or nonce form has."""
    yield Incoming("126 octets", refused.TOO_LONG, Pib(), V1_AIR + bytes(126 - len(V1_AIR)))
    yield Incoming("multipurpose", refused.NOT_FOR_US, Pib(), b"\x05\x00" + bytes(20))
    tsch, old_tsch = Pib(asn_form=True), Pib(E2012E, True)
    without_asn = flipped(in_slot(TSCH), len(TSCH.addressing()), 0x40)
    long_counter = flipped(air(V2), len(V2.addressing()), 0x40)
    for name, pib, frame in (
        ("secured Imm-Ack", Pib(), air(Frame(ACK, 1, 7, ash=ash()))),
        ("encrypted beacon", Pib(), air(EB)),
        ("encrypted beacon, 2012e", Pib(E2012E), air(EB)),
        ("level 4 in 2015", Pib(), air(replace(V1, ash=ash(4)))),
        ("counter in TSCH", tsch, air(V2)),
        ("version 1 in TSCH", tsch, V1_AIR),
        ("ASN outside TSCH", Pib(), in_slot(TSCH)),
        ("suppressed without ASN", tsch, without_asn),
        ("5-octet counter", old_tsch, long_counter),
    ):
        yield Incoming(name, refused.UNSUPPORTED, pib, frame)


def before_the_mic(edition: int) -> Iterator[Incoming]:
    """The rows that every edition has, as far as tables and counters decide."""
    plain = Pib(edition)
    alone = (Key(devices=()),)
    anybody = (Key(devices=(), any_device=True),)
    typed = (Key(usage=((COMMAND, 255), (ACK, 0), (BEACON, 0))),)
    off = replace(plain, enabled=False)
    strict = replace(plain, levels=(Level(minimum=6, allowed=(6, 7)),))
    open_door, exempt = (Level(override=True),), (Device(exempt=True),)
    counted = Pib(
        edition, keys=(Key(devices=(KeyDevice(counter=8),)),), devices=(Device(counter=8),)
    )
    v0, clear, third = air(replace(V1, version=0)), CLEAR.clear(), data(src=THIRD).clear()
    for name, status, pib, frame in (
        ("secured version 0", refused.LEGACY, plain, v0),
        ("secured version 0, off", refused.LEGACY, off, v0),
        ("level 0", refused.UNSUPPORTED, plain, flipped(V1_AIR, len(V1.addressing()), 5)),
        ("secEnabled FALSE", refused.UNSUPPORTED, off, V1_AIR),
        ("no keys", refused.NO_KEY, replace(plain, keys=()), V1_AIR),
        ("no such key", refused.NO_KEY, plain, air(replace(V1, ash=ash(index=2)))),
        ("other sender", refused.NO_DEVICE, plain, air(replace(V1, src=THIRD))),
        ("not under this key", refused.NO_DEVICE, replace(plain, keys=alone), V1_AIR),
        ("no devices", refused.NO_DEVICE, replace(plain, keys=alone, devices=()), V1_AIR),
        ("any device, but counters", refused.NO_DEVICE, Pib(edition, keys=anybody, devices=()),
         V1_AIR),
        ("no level table", refused.NO_LEVEL, replace(plain, levels=()), V1_AIR),
        ("no level for data", refused.NO_LEVEL, replace(plain, levels=ALL_TYPES[2:]), V1_AIR),
        ("no level for clear data", refused.NO_LEVEL, replace(plain, levels=ALL_TYPES[2:]), clear),
        ("level too low", refused.BAD_LEVEL, strict, V1_AIR),
        ("in clear", refused.BAD_LEVEL, plain, clear),
        ("in clear, not exempt", refused.BAD_LEVEL, replace(plain, levels=open_door), clear),
        ("in clear, exempt for nothing", refused.BAD_LEVEL, replace(plain, devices=exempt), clear),
        ("in clear, exempt is another", refused.BAD_LEVEL,
         replace(plain, levels=open_door, devices=exempt), third),
        ("counter used up", refused.COUNTER, plain, air(replace(V1, ash=ash(5, USED_UP)))),
        ("replay", refused.COUNTER, counted, V1_AIR),
        ("key for other types", refused.KEY_TYPE, replace(plain, keys=typed), V1_AIR),
        ("key for nothing", refused.KEY_TYPE, replace(plain, keys=(Key(usage=()),)), V1_AIR),
    ):  # fmt: skip
        yield Incoming(f"{name}, {edition}", status, pib, frame)


def by_the_mic(edition: int) -> Iterator[Incoming]:
    """The rows that every edition has, from the MIC on."""
    plain = Pib(edition)
    unstored = replace(plain, devices=(Device(slot=1),), keys=(Key(devices=(KeyDevice(slot=1),)),))
    control = len(V1.addressing())
    for name, status, pib, frame in (
        ("other key", refused.SECURITY, replace(plain, keys=(Key(OTHER_KEY),)), V1_AIR),
        ("MIC changed", refused.SECURITY, plain, flipped(V1_AIR, -1)),
        ("payload changed", refused.SECURITY, plain, flipped(V1_AIR, len(V1.mhr()))),
        ("sequence number changed", refused.SECURITY, plain, flipped(V1_AIR, 2)),
        ("level changed", refused.SECURITY, plain, flipped(V1_AIR, control, 4)),
        ("counter not kept", refused.STORAGE, unstored, V1_AIR),
    ):
        yield Incoming(f"{name}, {edition}", status, pib, frame, BEHIND_V1)


def of_keys() -> Iterator[Incoming]:
    """Key identifiers that no lookup of the only key has."""

    def only(mode: int, source: bytes, pan: int = PAN, **members: Any) -> Pib:
        index = 1 if mode else 0
        return Pib(keys=(Key(lookups=(Lookup(mode, index, source, pan),)),), **members)

    def named(mode: int) -> Frame:
        return replace(V1, ash=ash(mode=mode, source=b"abcdefgh"[: (0, 0, 4, 8)[mode]]))

    implicit, absent = named(0), replace(named(0), src=b"", compression=False)
    short = air(replace(implicit, src=PEER_SHORT))
    far = air(replace(absent, dst_pan=PAN + 1))
    for name, pib, frame in (
        ("mode 0, other device", only(0, THIRD), air(implicit)),
        ("mode 0, other PAN", only(0, PEER, 1), air(implicit)),
        ("mode 0, other PAN in 2006", only(0, PEER_SHORT, 1, edition=E2006), short),
        ("mode 0, absent source in other PAN", only(0, PEER_SHORT, coordinator_short=2), far),
        ("mode 0, other mode of address", only(0, PEER[:2]), air(implicit)),
        ("mode 0, absent source and other coordinator", only(0, PEER, coordinator=THIRD),
         air(absent)),
        ("mode 1, other default source", Pib(default_source=bytes(8)), V1_AIR),
        ("mode 2, other source", only(2, b"abce"), air(named(2))),
        ("mode 3, other source", only(3, b"bbcdefgh"), air(named(3))),
        ("mode 2 in the place of 3", only(3, b"bbcdefgh"), air(named(2))),
    ):  # fmt: skip
        yield Incoming(name, refused.NO_KEY, pib, frame)


def of_devices() -> Iterator[Incoming]:
    """Senders that no table knows."""
    absent, short = replace(V1, src=b"", compression=False), replace(V1, src=PEER_SHORT)
    anybody = (Key(devices=(), any_device=True),)
    nobody = (Key(devices=()),)
    short_tsch = in_slot(replace(TSCH, src=PEER_SHORT, dst_pan=PAN, src_pan=PAN))
    no_source = in_slot(replace(TSCH, src=b""))
    open_2012e = Pib(E2012E, True, keys=anybody, devices=())
    by_coordinator = Pib(asn_form=True, keys=anybody, devices=(), coordinator_short=2)
    for name, pib, frame in (
        ("absent source, other coordinator", Pib(coordinator=THIRD), air(absent)),
        ("short source, other PAN", Pib(devices=(Device(pan=1),)), air(short)),
        ("short source, device without", Pib(devices=(Device(short=b""),)),
         air(replace(V1, src=b"\xff\xff"))),
        ("short source, device with none yet", Pib(devices=(Device(short=b"\xff\xfe"),)),
         air(replace(V1, src=b"\xff\xfe"))),
        ("any device, short, 2012e", open_2012e, short_tsch),
        ("any device, short, 2012e, before levels", replace(open_2012e, levels=()), short_tsch),
        ("any device, absent short coordinator", by_coordinator, no_source),
        ("unknown in TSCH", Pib(asn_form=True, devices=(), keys=nobody), in_slot(TSCH)),
        ("not listed in TSCH, 2012e", Pib(E2012E, True, keys=nobody), in_slot(TSCH)),
    ):  # fmt: skip
        yield Incoming(name, refused.NO_DEVICE, pib, frame)
    blacklisted = (Key(devices=(KeyDevice(blacklisted=True),)),)
    for edition in EDITIONS[:3]:
        pib = Pib(edition, keys=blacklisted)
        yield Incoming(f"blacklisted, {edition}", refused.NO_DEVICE, pib, V1_AIR)


def of_levels() -> Iterator[Incoming]:
    """Levels that an edition's entry does not allow."""
    level_3 = air(replace(V1, ash=ash(3)))
    exempt = (Device(exempt=True),)
    for name, edition, levels, frame in (
        ("SecurityMinimum: encryption", E2006, (Level(minimum=5),), level_3),
        ("SecurityMinimum: MIC", E2006, (Level(minimum=2),), V1_AIR),
        ("SecurityMinimum in 2011", E2011, (Level(minimum=2, allowed=()),), V1_AIR),
        ("set before minimum in 2011", E2011, (Level(minimum=0, allowed=(6,)),), V1_AIR),
        ("set alone in 2015", E2015, (Level(minimum=0, allowed=()),), V1_AIR),
        ("first level entry holds", E2015, (Level(allowed=(6,)), Level(allowed=(5,))), V1_AIR),
    ):
        yield Incoming(name, refused.BAD_LEVEL, Pib(edition, levels=levels), frame)
    override = Pib(levels=(Level(allowed=(6,), override=True),), devices=exempt)
    yield Incoming("override is for level 0", refused.BAD_LEVEL, override, V1_AIR)


def of_slots() -> Iterator[Incoming]:
    """TSCH: the ASN of another slot, and the one after which there is none; a counter whose place
    the store does not have."""
    last = Pib(asn_form=True, asn=ALL_ONES_ASN)
    in_last = in_slot(TSCH, ALL_ONES_ASN)
    later = Pib(asn_form=True, asn=ASN + 1)
    unstored = Pib(keys=(Key(devices=(KeyDevice(slot=9),)),))
    yield Incoming("ASN all ones", refused.COUNTER, last, in_last)
    no_usage = replace(last, keys=(Key(usage=()),))
    yield Incoming("ASN all ones before usage", refused.COUNTER, no_usage, in_last)
    yield Incoming("ASN of other slot", refused.SECURITY, later, in_slot(TSCH), behind_ash(TSCH))
    yield Incoming("no room for a key's slot", refused.STORAGE, unstored, V1_AIR, BEHIND_V1)


def of_commands() -> Iterator[Incoming]:
    """Commands: the identifier decides, and in encrypted version 2 frames it is known only after
    the MIC."""
    only_1 = Pib(levels=(Level(COMMAND, command=1),))
    strict_2 = Pib(levels=(Level(COMMAND, command=1), Level(COMMAND, (6,), command=2)))
    for_1 = Pib(keys=(Key(usage=((COMMAND, 1),)),))
    hidden = command(2, 2)
    for name, pib, status in (
        ("no level", only_1, refused.NO_LEVEL),
        ("level", strict_2, refused.BAD_LEVEL),
        ("usage", for_1, refused.KEY_TYPE),
    ):
        yield Incoming(f"{name}, version 1", status, pib, air(command(2)))
        yield Incoming(f"{name}, version 2 readable", status, pib, air(command(2, 2, 1)))
        whole = air(hidden)
        yield Incoming(f"{name}, version 2 encrypted", status, pib, whole, behind_ash(hidden))
    no_command, too_high = Pib(levels=ALL_TYPES[:2]), Pib(levels=(Level(COMMAND, (6, 7)),))
    clear_1 = Pib(levels=(Level(COMMAND, (0,), command=1), Level(COMMAND, (5,))))
    for_data = Pib(keys=(Key(usage=((DATA, 0),)),))
    clear = replace(command(2, 2), ash=None).clear()
    yield Incoming("no command at all", refused.NO_LEVEL, no_command, air(hidden))
    yield Incoming("no command at this level", refused.BAD_LEVEL, too_high, air(hidden))
    yield Incoming("key for no command", refused.KEY_TYPE, for_data, air(hidden))
    yield Incoming("clear command", refused.BAD_LEVEL, clear_1, clear)


def of_ies() -> Iterator[Incoming]:
    """IEs that may not come at the frame's level."""
    whole, behind = air(WITH_IES), behind_ash(WITH_IES)
    for name, use in {
        "header IE": IeUse(frames.HEADER_IE, 0x1E, (6,)),
        "header termination": IeUse(frames.HEADER_IE, 0x7E, ()),
        "payload IE": IeUse(frames.PAYLOAD_IE, 2, (0, 1, 2, 3)),
        "MLME IE": IeUse(frames.PAYLOAD_IE, 1, ()),
        "nested short IE": IeUse(frames.NESTED_SHORT, 0x1A, (7,)),
        "nested long IE": IeUse(frames.NESTED_LONG, 9, (7,)),
    }.items():
        first = (IeUse(frames.HEADER_IE, 1, ()), use, replace(use, allowed=(5,)))
        for edition in (E2012E, E2015):
            pib = Pib(edition, ie_usage=first)
            yield Incoming(f"{name}, {edition}", refused.BAD_IE, pib, whole, behind)
    clear = WITH_IES.with_ash(None).clear()
    open_door = Pib(levels=(Level(DATA, (0, 5)),), ie_usage=(IeUse(frames.PAYLOAD_IE, 2, (5,)),))
    yield Incoming("IE in clear", refused.BAD_IE, open_door, clear)


TABLES: dict[str, tuple[Incoming, ...]] = {
    **{f"before the MIC, {edition}": tuple(before_the_mic(edition)) for edition in EDITIONS},
    **{f"by the MIC, {edition}": tuple(by_the_mic(edition)) for edition in EDITIONS},
    "unreadable": tuple(unreadable()),
    "unsupported": tuple(unsupported()),
    "keys": tuple(of_keys()),
    "devices": tuple(of_devices()),
    "levels": tuple(of_levels()),
    "slots": tuple(of_slots()),
    "commands": tuple(of_commands()),
    "IEs": tuple(of_ies()),
}
"""Every row, by what it is about."""
