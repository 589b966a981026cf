# SPDX-License-Identifier: BSD-3-Clause
"""After a procedure of the link layer nothing of a key or a payload stays on the stack, on each
emulated CPU. A refusal leaves none of it in a buffer either.

test_residue.py looks at the primitives and modes below them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, Ash, Frame
from tests.stack.calls import bound
from tests.stack.conftest import target_named
from tests.stack.link.editions import E2011, E2015, EDITIONS, NO_SLOT
from tests.stack.link.frames import air, ash, behind_ash, data, flipped, in_slot, to_peer
from tests.stack.link.linklib import HEADERS, admitted, length_of, name_of
from tests.stack.link.peers import PEER
from tests.stack.link.pib import ALL_TYPES, Device, IeUse, Key, KeyDevice, Level, Lookup, Pib
from tests.stack.link.securitylib import Node, Outcome
from tests.stack.link.simulation import ADDRESSES, CONFIG, LEAF, ROOT
from tests.stack.residue import KINDS, Operation, check, residue
from wardmote.call import EmulatedTarget
from wardmote.cpus import CPU_NAMES

ROOM = 125
PAYLOAD = 40
LEVELS = (2, 4, 6)
"""One that authenticates, one that encrypts, and one that does both."""


def single(target: EmulatedTarget, source: Random, way: str, level: int) -> bytes:
    """One frame under one key: secured, unsecured, or refused because of its MIC."""
    key, payload = source.randbytes(16), source.randbytes(PAYLOAD)
    frame = data(payload, ash=ash(level))
    cipher = bound(target, "aes128_tab", key)
    security = target.pack("wm_security", cipher=cipher.address, profile=int(level == 4))
    before, after = frame.clear(), air(frame, key)
    if way != "secure":
        before, after = after, before + after[len(before) :]
    if way == "refuse":
        before = flipped(before, -1)
        after = before[: behind_ash(frame)].ljust(len(before), b"\0")
    octets, length = bytearray(before.ljust(ROOM, b"\0")), length_of(target, len(before))
    size = (ROOM,) if way == "secure" else ()
    function = "wm_frame_secure" if way == "secure" else "wm_frame_unsecure"
    status = name_of(target.call(function, security, octets, *size, length).value)
    wanted = {"secure": "WM_OK", "open": admitted(level), "refuse": "WM_ERR_SECURITY"}
    assert (status, bytes(octets)) == (wanted[way], after.ljust(ROOM, b"\0"))
    return b"" if way != "refuse" else bytes(octets)


def found(node: Node, outcome: Outcome, wanted: str) -> bytes:
    """The buffers of a procedure that must not tell secrets; those of a refusal include the
    frame."""
    assert outcome.status == wanted
    tables = b"".join(node.memory())
    refused = wanted.startswith("WM_ERR")
    return tables + (outcome.octets + repr(outcome.result).encode() if refused else b"")


def of(key: bytes, edition: int = E2015, **members: object) -> Pib:
    """A PIB with one key."""
    return replace(Pib(edition), keys=(Key(octets=key),), **members)  # type: ignore[arg-type]


def outgoing(target: EmulatedTarget, source: Random, edition: int, *, tsch: bool) -> bytes:
    """A frame is secured in place, and another is built."""
    node = Node(target, of(source.randbytes(16), edition, asn_form=tsch))
    members = {"version": 2, "compression": False} if tsch or edition == E2015 else {}
    frame = to_peer(source.randbytes(PAYLOAD), **members)
    if tsch:
        return found(node, node.secure(frame.clear()), "WM_OK")
    left = found(node, node.secure(frame.clear()), "WM_OK")
    head = {"type": DATA, "version": frame.version, "seq": 9, "pan_id_compression": True}
    head |= {"dst_pan": 0xABCD, "src_pan": 0xABCD}
    addresses = {"dst": {"mode": 3, "octet": PEER}, "src": {"mode": 3, "octet": frame.src}}
    built = node.build({**head, **addresses}, source.randbytes(PAYLOAD))
    return left + found(node, built, "WM_OK")


def too_long(target: EmulatedTarget, source: Random) -> bytes:
    """There is no room for the MIC: the frame stays as it is, which the caller knows."""
    node = Node(target, of(source.randbytes(16)))
    clear = to_peer(source.randbytes(PAYLOAD)).clear()
    refused = node.secure(clear, size=len(clear) + 9)
    assert refused == Outcome("WM_ERR_FRAME_TOO_LONG", clear)
    return b"".join(node.memory())


def incoming(target: EmulatedTarget, source: Random, edition: int, *, tsch: bool) -> bytes:
    """A frame with a wrong MIC, the right one, and the right one again."""
    key, payload = source.randbytes(16), source.randbytes(PAYLOAD)
    node = Node(target, of(key, edition, asn_form=tsch))
    frame = data(payload, ash=ash(5, None if tsch else 7))
    if tsch or edition == E2015:
        frame = replace(frame, version=2, compression=False)
    sent = in_slot(frame, key=key) if tsch else air(frame, key)
    left = found(node, node.unsecure(flipped(sent, -1)), "WM_ERR_SECURITY")
    assert left.count(bytes(PAYLOAD))
    opened = node.unsecure(sent)
    assert opened.octets == frame.clear()
    left += found(node, opened, "WM_OK")
    if not tsch:
        assert node.unsecure(sent).status == "WM_ERR_COUNTER"
    return left


def late(target: EmulatedTarget, source: Random, pib: Pib, frame: Frame, wanted: str) -> bytes:
    """The MIC is right; then a policy, the content or the store refuses the frame."""
    key = source.randbytes(16)
    node = Node(target, replace(pib, keys=(replace(pib.keys[0], octets=key),)))
    private = bytes(frame.private_part[:2]) + source.randbytes(PAYLOAD)
    if frame.type == COMMAND:
        private = bytes([0x80 | source.randrange(0x80)]) + private
    frame = replace(frame, private_part=private)
    return found(node, node.unsecure(air(frame, key)), wanted)


V2 = data(b"", ash=ash(), version=2, compression=False)
NO_COMMANDS = (*ALL_TYPES[:3], Level(COMMAND, command=1))
LATE: dict[str, tuple[Pib, Frame, str]] = {
    "store": (
        Pib(keys=(Key(devices=(KeyDevice(slot=NO_SLOT),)),)),
        replace(V2, private_part=b"pa"),
        "WM_ERR_STORAGE",
    ),
    "store, 2011": (
        Pib(E2011, devices=(Device(slot=NO_SLOT),)),
        data(b"pa", ash=ash()),
        "WM_ERR_STORAGE",
    ),
    "command": (
        Pib(levels=NO_COMMANDS),
        replace(V2, type=COMMAND),
        "WM_ERR_UNAVAILABLE_SECURITY_LEVEL",
    ),
    "IE": (
        Pib(ie_usage=(IeUse(1, 2, (6,)),)),
        replace(V2, header_ies=model.HT1, private_part=model.payload_ie(2, b"")),
        "WM_ERR_IMPROPER_IE_SECURITY",
    ),
}


def ack(target: EmulatedTarget, source: Random) -> bytes:
    """An Enh-Ack with a wrong and with the right MIC."""
    key = source.randbytes(16)
    node = Node(target, of(key))
    asked = to_peer(version=2, compression=False, ack_request=True).clear()
    answer = Frame(
        ACK,
        src=PEER,
        dst=to_peer().src,
        compression=True,
        ash=ash(),
        private_part=source.randbytes(9),
    )
    sent = air(answer, key)
    left = found(node, node.ack(asked, flipped(sent, -1)), "WM_ERR_SECURITY")
    return left + found(node, node.ack(asked, sent), "WM_OK")


def join(target: EmulatedTarget, source: Random) -> bytes:
    """An Enhanced Beacon with a wrong and with the right MIC."""
    key = source.randbytes(16)
    node = Node(target, of(key, asn_form=True))
    asn = node.pib_value.asn + 5
    sent = in_slot(beacon(PEER, asn, 1), asn, key)
    left = found(node, node.join(flipped(sent, -1)), "WM_ERR_SECURITY")
    return left + found(node, node.join(sent), "WM_OK")


def two_keys(target: EmulatedTarget, source: Random) -> bytes:
    """wm_pib_check encrypts under each key to compare them."""
    keys = tuple(
        Key(octets=source.randbytes(16), lookups=(Lookup(index=n),), counter=0) for n in (1, 2)
    )
    node = Node(target, replace(Pib(), keys=keys))
    assert node.check() == "WM_OK"
    return b"".join(node.memory())


def beacon(src: bytes, asn: int, index: int) -> Frame:
    """An Enhanced Beacon in clear."""
    payload = model.Beacon(asn).payload()
    secured = Ash(1, 1, None, True, b"", index)
    return Frame(
        BEACON,
        dst=b"\xff\xff",
        src=src,
        compression=True,
        ash=secured,
        header_ies=model.HT1,
        private_part=payload,
    )


class Engine:
    """A node of tsch.h on a quiet board, with keys that nobody else has."""

    def __init__(self, target: EmulatedTarget, source: Random, role: int) -> None:
        self.target, self.role, self.peer = target, role, ADDRESSES[1 - role]
        self.keys = [source.randbytes(16) for _ in range(2)]
        target.call("port_double_quiet")
        target.call("port_double_run_as", role)
        for slot, key in enumerate(self.keys):
            target.call("wm_port_key", slot, key)
        self.tsch = target.call("port_double_tsch", role).value
        own = {"role": role, "eui64": ADDRESSES[role], "peer": self.peer}
        config = target.pack("wm_tsch_config", **CONFIG, **own)
        assert target.call("wm_tsch_init", self.tsch, bytes(config)).value == 0
        target.call("wm_tsch_start", self.tsch)

    def ring(self, times: int = 1) -> None:
        """The alarm goes off."""
        for _ in range(times):
            self.target.call("port_double_wake", self.role)
            self.target.call("wm_tsch_on_alarm", self.tsch)

    def now(self) -> int:
        """What the clock shows."""
        return self.target.call("wm_port_ticks").value

    def sent(self) -> None:
        """The frame on the air ends."""
        self.target.call("wm_tsch_on_frame_end", self.tsch, self.now())

    def hear(self, frame: Frame, bit: int = 0, asn: int | None = None) -> None:
        """A frame of the peer in this slot, with a bit of its MIC changed or not."""
        key, asn = self.keys[frame.type != BEACON], self.state("asn") if asn is None else asn
        octets = flipped(model.secure(frame, key, "asn", asn, self.peer), -1, bit)
        self.target.call("wm_tsch_on_frame_start", self.tsch, self.now())
        self.target.call("port_double_deliver", self.role, octets, len(octets), 1)
        self.target.call("wm_tsch_on_frame_end", self.tsch, self.now())

    def memory(self) -> bytes:
        """All of the node."""
        return self.target.read(self.tsch, self.target.layout("wm_tsch").size)

    def state(self, name: str) -> int:
        """A member, or one of its counts."""
        state = self.target.unpack("wm_tsch", self.memory())
        value = state[name] if name in state else state["stats"][name]
        return int.from_bytes(value, "big") if isinstance(value, bytes) else int(value)

    def peers(self, type: int, seq: int, **members: object) -> Frame:
        """A data frame or an Enh-Ack of the peer."""
        header = {"dst": ADDRESSES[self.role], "src": self.peer, "seq": seq}
        return Frame(type, **header, ash=Ash(5, 1, None, True, b"", 2), **members)  # type: ignore[arg-type]


def root(target: EmulatedTarget, source: Random) -> bytes:
    """A root sends a beacon, refuses a frame, then accepts one and answers."""
    node = Engine(target, source, ROOT)
    node.ring(2)
    node.sent()
    frame = node.peers(DATA, 5, ack_request=True, private_part=source.randbytes(PAYLOAD))
    for heard, bit in ((frame, 1), (replace(frame, ash=Ash(6, 1, None, True, b"", 2)), 0)):
        node.ring(2)
        node.hear(heard, bit)
    left = node.memory()
    assert node.state("refused") == 2
    node.ring(2)
    node.hear(frame)
    node.ring()
    node.sent()
    assert [node.state(name) for name in ("beacons_sent", "data_received", "acks_sent")] == [1] * 3
    return left


def leaf(target: EmulatedTarget, source: Random) -> bytes:
    """A leaf refuses a beacon, joins by one, sends data, and refuses an ack or accepts it."""
    node = Engine(target, source, LEAF)
    asn = 101
    eb = beacon(node.peer, asn, 1)
    node.hear(eb, 1, asn)
    assert (node.state("refused"), node.state("joined")) == (1, 0)
    left = node.memory()
    node.hear(eb, asn=asn)
    assert node.state("joined") == 1
    for bit in (1, 0):
        node.ring(2)
        node.sent()
        node.ring()
        node.hear(node.peers(ACK, node.state("seq"), header_ies=model.time_correction(0)), bit)
        left += node.memory() if bit else b""
    assert [node.state(name) for name in ("data_sent", "data_acked", "refused")] == [2, 1, 2]
    return left


OPERATIONS: dict[str, Operation] = {
    **{
        f"{way}, level {level}": partial(single, way=way, level=level)
        for level in LEVELS
        for way in ("secure", "open", "refuse")
        if (way, level) != ("refuse", 4)
    },
    **{
        f"{run.__name__}, edition {edition}": partial(run, edition=edition, tsch=False)
        for edition in EDITIONS
        for run in (outgoing, incoming)
    },
    **{
        f"{run.__name__}, TSCH": partial(run, edition=E2015, tsch=True)
        for run in (outgoing, incoming)
    },
    **{
        f"refused late: {name}": partial(late, pib=pib, frame=frame, wanted=wanted)
        for name, (pib, frame, wanted) in LATE.items()
    },
    "too long": too_long,
    "ack": ack,
    "join": join,
    "check": two_keys,
    "root": root,
    "leaf": leaf,
}


@pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_procedures_leave_nothing(cpu: str, form: str) -> None:
    """Frames alone, both procedures in every edition, joining, acknowledgments, and the TSCH
    engine."""
    target = target_named(cpu + form, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    check({name: residue(target, run) for name, run in OPERATIONS.items()})
