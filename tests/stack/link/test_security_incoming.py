# SPDX-License-Identifier: BSD-3-Clause
"""The incoming procedure: every status by its row, and that a refused frame leaves neither
plaintext nor a trace."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, Frame
from tests.stack.link.securitylib import (
    ALL_TYPES,
    E2006,
    E2011,
    E2012E,
    E2015,
    EDITIONS,
    KEY,
    OTHER_KEY,
    PAN,
    PEER,
    PEER_SHORT,
    THIRD,
    USED_UP,
    Device,
    IeUse,
    Key,
    KeyDevice,
    Level,
    Lookup,
    Node,
    Pib,
    ash,
    behind_ash,
    data,
)
from wardmote.call import Target

ASN = 0x0102030405
HEADER_IE, PAYLOAD_IE, NESTED_SHORT, NESTED_LONG = range(4)

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


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason to refuse; `behind`: offset of what must be zero afterwards, None if the frame
    must be as it came."""

    name: str
    status: str
    pib: Pib
    frame: bytes
    behind: int | None = None


def air(frame: Frame, key: bytes = KEY, form: model.NonceForm = "counter", asn: int = ASN) -> bytes:
    """The frame as PEER sends it."""
    return model.secure(frame, key, form, asn, PEER)


def tsch(frame: Frame) -> bytes:
    """The frame as PEER sends it in TSCH mode."""
    return air(frame, form="asn")


def flipped(frame: bytes, at: int, bit: int = 1) -> bytes:
    """One bit changed."""
    return (
        frame[:at] + bytes([frame[at] ^ bit]) + frame[at + 1 :]
        if at >= 0
        else flipped(frame, len(frame) + at, bit)
    )


def malformed() -> list[Refusal]:
    """What can not be read, or what no edition or form has."""
    v1, plain = air(V1), Pib()
    control = len(V1.addressing())
    broken = replace(WITH_IES, private_part=model.payload_ie(2, b"vendor")[:-1])
    ended = replace(WITH_IES, private_part=model.payload_ie(0xF, b"x") + b"payload")
    nested = replace(WITH_IES, private_part=model.payload_ie(1, b"\x06\x1a\0"))
    nameless = replace(command(1, 2), private_part=b"")
    readable = replace(nameless, ash=ash(1))
    policy = replace(plain, ie_usage=(IeUse(NESTED_SHORT, 0x1B, (5,)),))
    imm_ack = Frame(ACK, 1, 7, ash=ash())
    return [
        Refusal("one octet", "WM_ERR_MALFORMED", plain, v1[:1]),
        Refusal("ends in the addresses", "WM_ERR_MALFORMED", plain, v1[: control - 1]),
        Refusal("ends in the ASH", "WM_ERR_MALFORMED", plain, v1[: control + 5]),
        Refusal("ends in the MIC", "WM_ERR_MALFORMED", plain, v1[: len(V1.mhr()) + 3]),
        Refusal("KeyIndex 0", "WM_ERR_MALFORMED", plain, air(replace(V1, ash=ash(index=0)))),
        Refusal("counter suppressed in version 1", "WM_ERR_MALFORMED", plain, flipped(v1, control, 0x20)),
        Refusal("version 2 in 2006", "WM_ERR_MALFORMED", Pib(E2006), air(V2)),
        Refusal("version 2 in 2011", "WM_ERR_MALFORMED", Pib(E2011), air(V2)),
        Refusal("clear version 2 in 2006", "WM_ERR_MALFORMED", Pib(E2006, enabled=False), V2.with_ash(None).clear()),
        Refusal("command without identifier", "WM_ERR_MALFORMED", plain, air(nameless), behind_ash(nameless)),
        Refusal("the same, readable", "WM_ERR_MALFORMED", plain, air(readable)),
        Refusal("the same, unsecured", "WM_ERR_MALFORMED", plain, nameless.with_ash(None).clear()),
        Refusal("payload IE past the end", "WM_ERR_MALFORMED", plain, air(broken), behind_ash(broken)),
        Refusal("payload termination with content", "WM_ERR_MALFORMED", plain, air(ended), behind_ash(ended)),
        Refusal("nested IE past the end", "WM_ERR_MALFORMED", policy, air(nested), behind_ash(nested)),
        Refusal("126 octets", "WM_ERR_FRAME_TOO_LONG", plain, v1 + bytes(126 - len(v1))),
        Refusal("multipurpose", "WM_ERR_NOT_FOR_US", plain, b"\x05\x00" + bytes(20)),
        Refusal("secured Imm-Ack", "WM_ERR_UNSUPPORTED_SECURITY", plain, air(imm_ack)),
        Refusal("encrypted beacon", "WM_ERR_UNSUPPORTED_SECURITY", plain, air(EB)),
        Refusal("encrypted beacon, 2012e", "WM_ERR_UNSUPPORTED_SECURITY", Pib(E2012E), air(EB)),
        Refusal("level 4 in 2015", "WM_ERR_UNSUPPORTED_SECURITY", plain, air(replace(V1, ash=ash(4)))),
        Refusal("counter in TSCH", "WM_ERR_UNSUPPORTED_SECURITY", Pib(asn_form=True), air(V2)),
        Refusal("version 1 in TSCH", "WM_ERR_UNSUPPORTED_SECURITY", Pib(asn_form=True), v1),
        Refusal("ASN outside TSCH", "WM_ERR_UNSUPPORTED_SECURITY", plain, tsch(TSCH)),
        Refusal("suppressed without ASN", "WM_ERR_UNSUPPORTED_SECURITY", Pib(asn_form=True),
                flipped(tsch(TSCH), len(TSCH.addressing()), 0x40)),
        Refusal("5-octet counter", "WM_ERR_UNSUPPORTED_SECURITY", Pib(E2012E, True),
                flipped(air(V2), len(V2.addressing()), 0x40)),
    ]  # fmt: skip


def in_every_edition() -> list[Refusal]:
    """The rows that all editions share."""
    found = []
    for edition in EDITIONS:
        plain = Pib(edition)
        v1 = air(V1)
        level0 = flipped(v1, len(V1.addressing()), 5)
        alone = (Key(devices=()),)
        bad_mic, far = behind_ash(V1), replace(V1, src=THIRD)
        counted = Pib(
            edition, keys=(Key(devices=(KeyDevice(counter=8),)),), devices=(Device(counter=8),)
        )
        last = air(replace(V1, ash=ash(5, USED_UP)))
        typed = (Key(usage=((COMMAND, 255), (ACK, 0), (BEACON, 0))),)
        found += [
            Refusal("secured version 0", "WM_ERR_UNSUPPORTED_LEGACY", plain, air(replace(V1, version=0))),
            Refusal("secured version 0, off", "WM_ERR_UNSUPPORTED_LEGACY", replace(plain, enabled=False),
                    air(replace(V1, version=0))),
            Refusal("secured at level 0", "WM_ERR_UNSUPPORTED_SECURITY", plain, level0),
            Refusal("secEnabled FALSE", "WM_ERR_UNSUPPORTED_SECURITY", replace(plain, enabled=False), v1),
            Refusal("no keys", "WM_ERR_UNAVAILABLE_KEY", replace(plain, keys=()), v1),
            Refusal("no such key", "WM_ERR_UNAVAILABLE_KEY", plain, air(replace(V1, ash=ash(index=2)))),
            Refusal("other sender", "WM_ERR_UNAVAILABLE_DEVICE", plain, air(far)),
            Refusal("not under this key", "WM_ERR_UNAVAILABLE_DEVICE", replace(plain, keys=alone), v1),
            Refusal("no devices", "WM_ERR_UNAVAILABLE_DEVICE", replace(plain, keys=alone, devices=()), v1),
            Refusal("any device, but counters", "WM_ERR_UNAVAILABLE_DEVICE", replace(plain, devices=(),
                    keys=(Key(devices=(), any_device=True),)), v1),
            Refusal("no level table", "WM_ERR_UNAVAILABLE_SECURITY_LEVEL", replace(plain, levels=()), v1),
            Refusal("no level for data", "WM_ERR_UNAVAILABLE_SECURITY_LEVEL", replace(plain, levels=ALL_TYPES[2:]), v1),
            Refusal("no level for clear data", "WM_ERR_UNAVAILABLE_SECURITY_LEVEL",
                    replace(plain, levels=ALL_TYPES[2:]), CLEAR.clear()),
            Refusal("level too low", "WM_ERR_IMPROPER_SECURITY_LEVEL",
                    replace(plain, levels=(Level(minimum=6, allowed=(6, 7)),)), v1),
            Refusal("in clear", "WM_ERR_IMPROPER_SECURITY_LEVEL", plain, CLEAR.clear()),
            Refusal("in clear, not exempt", "WM_ERR_IMPROPER_SECURITY_LEVEL",
                    replace(plain, levels=(Level(override=True),)), CLEAR.clear()),
            Refusal("in clear, exempt for nothing", "WM_ERR_IMPROPER_SECURITY_LEVEL",
                    replace(plain, devices=(Device(exempt=True),)), CLEAR.clear()),
            Refusal("in clear, exempt is another", "WM_ERR_IMPROPER_SECURITY_LEVEL", replace(plain,
                    levels=(Level(override=True),), devices=(Device(exempt=True),)), data(src=THIRD).clear()),
            Refusal("counter used up", "WM_ERR_COUNTER", plain, last),
            Refusal("replay", "WM_ERR_COUNTER", counted, v1),
            Refusal("key for other types", "WM_ERR_IMPROPER_KEY_TYPE", replace(plain, keys=typed), v1),
            Refusal("key for nothing", "WM_ERR_IMPROPER_KEY_TYPE", replace(plain, keys=(Key(usage=()),)), v1),
            Refusal("other key", "WM_ERR_SECURITY", replace(plain, keys=(Key(OTHER_KEY),)), v1, bad_mic),
            Refusal("MIC changed", "WM_ERR_SECURITY", plain, flipped(v1, -1), bad_mic),
            Refusal("payload changed", "WM_ERR_SECURITY", plain, flipped(v1, len(V1.mhr())), bad_mic),
            Refusal("sequence number changed", "WM_ERR_SECURITY", plain, flipped(v1, 2), bad_mic),
            Refusal("level changed", "WM_ERR_SECURITY", plain, flipped(v1, len(V1.addressing()), 4), bad_mic),
            Refusal("counter not kept", "WM_ERR_STORAGE", replace(plain, devices=(Device(slot=1),),
                    keys=(Key(devices=(KeyDevice(slot=1),)),)), v1, bad_mic),
        ]  # fmt: skip
        found = [replace(case, name=f"{case.name}, {edition}") if case.pib.edition == edition and
                 not case.name[-1].isdigit() else case for case in found]  # fmt: skip
    return found


def tables() -> list[Refusal]:
    """Rows that depend on an edition or on one table."""
    plain, v1 = Pib(), air(V1)
    mode0, mode2, mode3 = (
        replace(V1, ash=ash(mode=m, source=b"abcdefgh"[: (0, 0, 4, 8)[m]])) for m in (0, 2, 3)
    )
    by = {
        m: Pib(keys=(Key(lookups=(Lookup(m, 1, s),)),))
        for m, s in ((0, THIRD), (2, b"abce"), (3, b"bbcdefgh"))
    }
    absent = replace(V1, src=b"", compression=False)
    short = replace(V1, src=PEER_SHORT)
    any_key = (Key(devices=(), any_device=True),)
    blacklisted = (Key(devices=(KeyDevice(blacklisted=True),)),)
    short_tsch = replace(TSCH, src=PEER_SHORT, dst_pan=PAN, src_pan=PAN)
    all_ones = Pib(asn_form=True, asn=(1 << 40) - 1)
    found = [
        Refusal("mode 0, other device", "WM_ERR_UNAVAILABLE_KEY", by[0], air(mode0)),
        Refusal("mode 0, other PAN", "WM_ERR_UNAVAILABLE_KEY", Pib(keys=(Key(lookups=(Lookup(0, 0, PEER, 1),)),)),
                air(mode0)),
        Refusal("mode 0, other PAN in 2006", "WM_ERR_UNAVAILABLE_KEY",
                Pib(E2006, keys=(Key(lookups=(Lookup(0, 0, PEER_SHORT, 1),)),)),
                air(replace(short, ash=ash(5, 7, 0)))),
        Refusal("mode 0, absent source in other PAN", "WM_ERR_UNAVAILABLE_KEY",
                Pib(coordinator_short=2, keys=(Key(lookups=(Lookup(0, 0, PEER_SHORT),)),)),
                air(replace(absent, dst_pan=PAN + 1, ash=ash(5, 7, 0)))),
        Refusal("mode 0, other mode of address", "WM_ERR_UNAVAILABLE_KEY",
                Pib(keys=(Key(lookups=(Lookup(0, 0, PEER[:2]),)),)), air(mode0)),
        Refusal("mode 0, absent source and other coordinator", "WM_ERR_UNAVAILABLE_KEY",
                Pib(coordinator=THIRD, keys=(Key(lookups=(Lookup(0, 0, PEER),)),)),
                air(replace(absent, ash=mode0.ash))),
        Refusal("mode 1, other default source", "WM_ERR_UNAVAILABLE_KEY", Pib(default_source=bytes(8)), v1),
        Refusal("mode 2, other source", "WM_ERR_UNAVAILABLE_KEY", by[2], air(mode2)),
        Refusal("mode 3, other source", "WM_ERR_UNAVAILABLE_KEY", by[3], air(mode3)),
        Refusal("mode 2 in the place of 3", "WM_ERR_UNAVAILABLE_KEY", by[3], air(mode2)),
        Refusal("absent source, other coordinator", "WM_ERR_UNAVAILABLE_DEVICE", Pib(coordinator=THIRD), air(absent)),
        Refusal("short source, other PAN", "WM_ERR_UNAVAILABLE_DEVICE", Pib(devices=(Device(pan=1),)), air(short)),
        Refusal("short source, device without", "WM_ERR_UNAVAILABLE_DEVICE", Pib(devices=(Device(short=b""),)),
                air(replace(V1, src=b"\xff\xff"))),
        Refusal("any device, short, 2012e", "WM_ERR_UNAVAILABLE_DEVICE",
                Pib(E2012E, True, keys=any_key, devices=()), tsch(short_tsch)),
        Refusal("any device, short, 2012e, before levels", "WM_ERR_UNAVAILABLE_DEVICE",
                Pib(E2012E, True, keys=any_key, devices=(), levels=()), tsch(short_tsch)),
        Refusal("any device, absent short coordinator", "WM_ERR_UNAVAILABLE_DEVICE",
                Pib(asn_form=True, keys=any_key, devices=(), coordinator_short=2), tsch(replace(TSCH, src=b""))),
        Refusal("unknown in TSCH", "WM_ERR_UNAVAILABLE_DEVICE", Pib(asn_form=True, devices=(), keys=(Key(devices=()),)),
                tsch(TSCH)),
        Refusal("not listed in TSCH, 2012e", "WM_ERR_UNAVAILABLE_DEVICE", Pib(E2012E, True, keys=(Key(devices=()),)),
                tsch(TSCH)),
        Refusal("SecurityMinimum: encryption", "WM_ERR_IMPROPER_SECURITY_LEVEL", Pib(E2006, levels=(Level(minimum=5),)),
                air(replace(V1, ash=ash(3)))),
        Refusal("SecurityMinimum: MIC", "WM_ERR_IMPROPER_SECURITY_LEVEL", Pib(E2006, levels=(Level(minimum=2),)), v1),
        Refusal("SecurityMinimum in 2011", "WM_ERR_IMPROPER_SECURITY_LEVEL",
                Pib(E2011, levels=(Level(minimum=2, allowed=()),)), v1),
        Refusal("set before minimum in 2011", "WM_ERR_IMPROPER_SECURITY_LEVEL",
                Pib(E2011, levels=(Level(minimum=0, allowed=(6,)),)), v1),
        Refusal("set alone in 2015", "WM_ERR_IMPROPER_SECURITY_LEVEL", Pib(levels=(Level(minimum=0, allowed=()),)), v1),
        Refusal("override is for level 0", "WM_ERR_IMPROPER_SECURITY_LEVEL",
                Pib(levels=(Level(allowed=(6,), override=True),), devices=(Device(exempt=True),)), v1),
        Refusal("first level entry holds", "WM_ERR_IMPROPER_SECURITY_LEVEL",
                Pib(levels=(Level(allowed=(6,)), Level(allowed=(5,)))), v1),
        Refusal("ASN all ones", "WM_ERR_COUNTER", all_ones, air(TSCH, form="asn", asn=(1 << 40) - 1)),
        Refusal("ASN all ones before usage", "WM_ERR_COUNTER", replace(all_ones, keys=(Key(usage=()),)),
                air(TSCH, form="asn", asn=(1 << 40) - 1)),
        Refusal("ASN of other slot", "WM_ERR_SECURITY", Pib(asn_form=True, asn=ASN + 1), tsch(TSCH), behind_ash(TSCH)),
        Refusal("no room for a key's slot", "WM_ERR_STORAGE", Pib(keys=(Key(devices=(KeyDevice(slot=9),)),)), v1,
                behind_ash(V1)),
    ]  # fmt: skip
    for edition in EDITIONS[:3]:
        black = Pib(edition, keys=blacklisted)
        found.append(Refusal(f"blacklisted, {edition}", "WM_ERR_UNAVAILABLE_DEVICE", black, v1))
    assert plain.edition == E2015
    return found


def commands() -> list[Refusal]:
    """Commands: the identifier decides, and in encrypted version 2 frames it is known only after
    the MIC."""
    only_1 = Pib(levels=(Level(COMMAND, command=1),))
    strict_2 = Pib(levels=(Level(COMMAND, command=1), Level(COMMAND, (6,), command=2)))
    for_1 = Pib(keys=(Key(usage=((COMMAND, 1),)),))
    hidden = command(2, 2)
    found = []
    for name, pib, status in (
        ("no level", only_1, "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"),
        ("level", strict_2, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        ("usage", for_1, "WM_ERR_IMPROPER_KEY_TYPE"),
    ):
        found += [
            Refusal(f"{name}, version 1", status, pib, air(command(2))),
            Refusal(f"{name}, version 2 readable", status, pib, air(command(2, 2, 1))),
            Refusal(f"{name}, version 2 encrypted", status, pib, air(hidden), behind_ash(hidden)),
        ]
    found += [
        Refusal("no command at all", "WM_ERR_UNAVAILABLE_SECURITY_LEVEL", Pib(levels=ALL_TYPES[:2]), air(hidden)),
        Refusal("no command at this level", "WM_ERR_IMPROPER_SECURITY_LEVEL", Pib(levels=(Level(COMMAND, (6, 7)),)),
                air(hidden)),
        Refusal("key for no command", "WM_ERR_IMPROPER_KEY_TYPE", Pib(keys=(Key(usage=((DATA, 0),)),)), air(hidden)),
        Refusal("clear command", "WM_ERR_IMPROPER_SECURITY_LEVEL", Pib(levels=(Level(COMMAND, (0,), command=1),
                Level(COMMAND, (5,)))), replace(command(2, 2), ash=None).clear()),
    ]  # fmt: skip
    return found


def ies() -> list[Refusal]:
    """IEs that may not come at the frame's level."""
    found = []
    for name, use in {
        "header IE": IeUse(HEADER_IE, 0x1E, (6,)),
        "header termination": IeUse(HEADER_IE, 0x7E, ()),
        "payload IE": IeUse(PAYLOAD_IE, 2, (0, 1, 2, 3)),
        "MLME IE": IeUse(PAYLOAD_IE, 1, ()),
        "nested short IE": IeUse(NESTED_SHORT, 0x1A, (7,)),
        "nested long IE": IeUse(NESTED_LONG, 9, (7,)),
    }.items():
        first = (IeUse(HEADER_IE, 1, ()), use, replace(use, allowed=(5,)))
        for edition in (E2012E, E2015):
            pib = Pib(edition, ie_usage=first)
            found.append(
                Refusal(
                    f"{name}, {edition}",
                    "WM_ERR_IMPROPER_IE_SECURITY",
                    pib,
                    air(WITH_IES),
                    behind_ash(WITH_IES),
                )
            )
    clear = WITH_IES.with_ash(None).clear()
    open_door = Pib(levels=(Level(DATA, (0, 5)),), ie_usage=(IeUse(PAYLOAD_IE, 2, (5,)),))
    return [*found, Refusal("IE in clear", "WM_ERR_IMPROPER_IE_SECURITY", open_door, clear)]


ALL = [*malformed(), *in_every_edition(), *tables(), *commands(), *ies()]


def check(target: Target, case: Refusal) -> None:
    """The status; the frame as it came, or zeros behind its ASH; nothing of the PIB moved."""
    pib = case.pib
    if case.status == "WM_ERR_STORAGE":
        pib = replace(pib, store=target.buffer(bytes(target.pack("wm_counter_store"))).address)
    node = Node(target, pib)
    before = node.memory()
    refused = node.unsecure(case.frame)
    kept = len(case.frame) if case.behind is None else case.behind
    assert refused.status == case.status
    assert refused.octets == case.frame[:kept] + bytes(len(case.frame) - kept)
    assert node.memory() == before


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_refusals(target: Target, case: Refusal) -> None:
    """Every row refuses with its status, releases nothing and moves nothing."""
    check(target, case)


def test_every_status_is_refused_for() -> None:
    """The rows above have each status that the header lists."""
    assert {case.status for case in ALL} == {
        "WM_ERR_MALFORMED",
        "WM_ERR_FRAME_TOO_LONG",
        "WM_ERR_NOT_FOR_US",
        "WM_ERR_UNSUPPORTED_LEGACY",
        "WM_ERR_UNSUPPORTED_SECURITY",
        "WM_ERR_UNAVAILABLE_KEY",
        "WM_ERR_UNAVAILABLE_DEVICE",
        "WM_ERR_UNAVAILABLE_SECURITY_LEVEL",
        "WM_ERR_IMPROPER_SECURITY_LEVEL",
        "WM_ERR_COUNTER",
        "WM_ERR_IMPROPER_KEY_TYPE",
        "WM_ERR_SECURITY",
        "WM_ERR_IMPROPER_IE_SECURITY",
        "WM_ERR_STORAGE",
    }


def faults(edition: int) -> list[tuple[str, Pib, Frame, bytes]]:
    """One fault of each row, in the order of the rows: a change of the PIB, of the frame, and the
    key it is under."""
    plain = Pib(edition)
    return [
        ("WM_ERR_UNSUPPORTED_LEGACY", plain, replace(V1, version=0), KEY),
        ("WM_ERR_UNSUPPORTED_SECURITY", replace(plain, enabled=False), V1, KEY),
        ("WM_ERR_UNAVAILABLE_KEY", plain, replace(V1, ash=replace(ash(), key_index=2)), KEY),
        ("WM_ERR_UNAVAILABLE_DEVICE", replace(plain, devices=(Device(THIRD, b"\0\x03"),)), V1, KEY),
        ("WM_ERR_UNAVAILABLE_SECURITY_LEVEL", replace(plain, levels=()), V1, KEY),
        (
            "WM_ERR_IMPROPER_SECURITY_LEVEL",
            replace(plain, levels=(Level(minimum=6, allowed=(6,)),)),
            V1,
            KEY,
        ),
        ("WM_ERR_COUNTER", plain, replace(V1, ash=replace(ash(), counter=USED_UP)), KEY),
        ("WM_ERR_IMPROPER_KEY_TYPE", replace(plain, keys=(Key(usage=()),)), V1, KEY),
        ("WM_ERR_SECURITY", plain, V1, OTHER_KEY),
    ]


def both(edition: int, first: int, second: int) -> tuple[Pib, bytes]:
    """A PIB and a frame with two faults: what either changes, the later one where both change the
    same."""
    plain, pib, frame = Pib(edition), Pib(edition), V1
    header, key = ash(), KEY
    for _, changed, other, under in (faults(edition)[second], faults(edition)[first]):
        for name in ("enabled", "keys", "devices", "levels"):
            if getattr(changed, name) != getattr(plain, name):
                pib = replace(pib, **{name: getattr(changed, name)})
        frame = replace(frame, version=min(frame.version, other.version))
        assert other.ash is not None
        for name in ("key_index", "counter"):
            if getattr(other.ash, name) != getattr(ash(), name):
                header = replace(header, **{name: getattr(other.ash, name)})
        key = OTHER_KEY if OTHER_KEY in (key, under) else KEY
    return pib, air(replace(frame, ash=header), key)


@pytest.mark.parametrize("edition", EDITIONS)
def test_order_of_the_rows(target: Target, edition: int) -> None:
    """A frame with two faults is refused for the one whose row comes first, so a status tells how
    far a frame came."""
    names = [fault[0] for fault in faults(edition)]
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            target.reset()
            pib, frame = both(edition, first, second)
            assert Node(target, pib).unsecure(frame).status == names[first], names[second]
