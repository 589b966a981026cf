# SPDX-License-Identifier: BSD-3-Clause
"""TSCH through the procedures: joining by an Enhanced Beacon, acknowledgments, the tables of RFC
8180."""

from dataclasses import replace
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, Frame
from tests.stack.calls import bound
from tests.stack.link.editions import E2012E, E2015
from tests.stack.link.frames import ASN, ash, behind_ash, in_slot
from tests.stack.link.linklib import admitted, name_of
from tests.stack.link.peers import KEY, OTHER_KEY, OWN, OWN_SHORT, PAN, PEER, PEER_SHORT, THIRD
from tests.stack.link.pib import ALL_TYPES, Device, Key, KeyDevice, Level, Lookup, Params, Pib
from tests.stack.link.securitylib import Node
from tests.stack.store.counterlib import Counters
from wardmote.call import Target

K1 = bytes.fromhex("365469534348206d696e696d616c3135")
JOINING = Pib(asn_form=True, asn=0)
TSCH = Pib(asn_form=True, asn=ASN)


def beacon(asn: int = ASN, level: int = 1, **members: Any) -> Frame:
    """An Enhanced Beacon of PEER."""
    parts = {
        "dst": b"\xff\xff",
        "src": PEER,
        "header_ies": model.HT1,
        "private_part": model.Beacon(asn).payload(),
    }
    return Frame(BEACON, ash=ash(level, None), **(parts | members))


@pytest.mark.parametrize("edition", [E2012E, E2015])
def test_join(target: Target, edition: int) -> None:
    """A joining node takes the ASN from a verified beacon, sends nothing in that slot, and goes on
    from there."""
    node = Node(target, replace(JOINING, edition=edition))
    found = node.join(in_slot(beacon()))
    assert (found.status, found.octets) == ("WM_OK", beacon().clear())
    state = node.state()
    assert (state["asn"], state["asn_used"]) == (ASN.to_bytes(5, "big"), True)
    assert node.set_asn(ASN + 1) == "WM_OK"
    data = Frame(dst=OWN, src=PEER, ash=ash(5, None), private_part=b"payload")
    assert node.unsecure(in_slot(data, ASN + 1)).status == "WM_OK"


def beacons() -> dict[str, tuple[Pib, bytes, str]]:
    """Beacons that bring no time."""
    eb = in_slot(beacon())
    wrong = eb[:-1] + bytes([eb[-1] ^ 1])
    claims = bytearray(eb)
    claims[claims.index(ASN.to_bytes(5, "little"))] ^= 1
    no_sync = beacon(private_part=model.payload_ie(1, model.nested_ie(0x1C, b"\0")))
    short_sync = beacon(private_part=model.payload_ie(1, model.nested_ie(0x1A, bytes(5))))
    counter = beacon()
    counter = replace(counter, ash=ash(1, 7))
    data = Frame(
        dst=OWN, src=PEER, ash=ash(1, None), header_ies=model.HT1, private_part=counter.private_part
    )
    end = (1 << 40) - 1
    clear = beacon().with_ash(None).clear()
    open_door = replace(JOINING, levels=(Level(BEACON, (0, 1)),))
    return {
        "wrong MIC": (JOINING, wrong, "WM_ERR_SECURITY"),
        "other ASN in the IE": (JOINING, bytes(claims), "WM_ERR_SECURITY"),
        "other key": (JOINING, in_slot(beacon(), key=OTHER_KEY), "WM_ERR_SECURITY"),
        "ASN in the past": (replace(JOINING, asn=ASN + 1), eb, "WM_ERR_COUNTER"),
        "ASN all ones": (JOINING, in_slot(beacon(end), end), "WM_ERR_COUNTER"),
        "no Synchronization IE": (JOINING, in_slot(no_sync), "WM_ERR_MALFORMED"),
        "short Synchronization IE": (JOINING, in_slot(short_sync), "WM_ERR_MALFORMED"),
        "payload that looks like IEs": (JOINING, in_slot(beacon(header_ies=model.HT2)), "WM_ERR_MALFORMED"),
        "payload that looks like IEs, no IE present": (JOINING, in_slot(beacon(header_ies=b"")), "WM_ERR_MALFORMED"),
        "cut": (JOINING, eb[:20], "WM_ERR_MALFORMED"),
        "in clear": (JOINING, clear, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        "in clear whatever the table says": (open_door, clear, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        "level": (replace(JOINING, levels=(Level(BEACON, (2,)),)), eb, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        "with a counter": (JOINING, model.secure(counter, KEY), "WM_ERR_UNSUPPORTED_SECURITY"),
        "encrypted": (JOINING, in_slot(beacon(level=5)), "WM_ERR_MALFORMED"),
        "encrypted level, ASN readable": (JOINING, flip_level(eb), "WM_ERR_UNSUPPORTED_SECURITY"),
        "unknown device": (replace(JOINING, devices=(Device(THIRD),)), eb, "WM_ERR_UNAVAILABLE_DEVICE"),
        "unknown key": (JOINING, in_slot(replace(beacon(), ash=ash(1, None, index=2))), "WM_ERR_UNAVAILABLE_KEY"),
        "data": (JOINING, in_slot(data), "WM_ERR_NOT_FOR_US"),
        "version 1": (JOINING, model.secure(Frame(BEACON, 1, src=PEER, ash=ash(1), open_part=b"\x55\xcf\0\0"), KEY),
                      "WM_ERR_NOT_FOR_US"),
        "not in TSCH mode": (Pib(), eb, "WM_ERR_NOT_FOR_US"),
    }  # fmt: skip


def flip_level(eb: bytes) -> bytes:
    """A beacon that says level 5 and is not encrypted."""
    at = len(beacon().addressing())
    return eb[:at] + bytes([eb[at] ^ 4]) + eb[at + 1 :]


BEACONS = beacons()


@pytest.mark.parametrize("name", BEACONS)
def test_join_refuses(target: Target, name: str) -> None:
    """A refused beacon brings no ASN, no time and no other trace."""
    pib, frame, status = BEACONS[name]
    node = Node(target, pib)
    before = node.memory()
    refused = node.join(frame)
    assert (refused.status, node.memory()) == (status, before)
    kept = behind_ash(beacon()) if status == "WM_ERR_SECURITY" else len(frame)
    assert refused.octets == frame[:kept] + bytes(len(frame) - kept)


@pytest.mark.parametrize(("limit", "believed"), [(ASN, True), (ASN - 1, False), (0, False)])
def test_join_believes_no_asn_behind_the_limit(target: Target, limit: int, believed: bool) -> None:
    """A beacon with a right MIC and an ASN beyond the limit changes nothing. So an attacker who
    knows K1 cannot shut a node out for ever. A limit of zeros believes none."""
    node = Node(target, replace(JOINING, join_asn_max=limit))
    before = node.memory()
    assert node.join(in_slot(beacon())).status == ("WM_OK" if believed else "WM_ERR_COUNTER")
    assert (node.memory() == before) is not believed


def test_join_without_security(target: Target) -> None:
    """With secEnabled FALSE a node joins by a beacon in clear."""
    node = Node(target, replace(JOINING, enabled=False))
    assert node.join(beacon().with_ash(None).clear()).status == "WM_NOT_SECURED"
    assert node.state()["asn"] == ASN.to_bytes(5, "big")


def test_replay_in_tsch(target: Target) -> None:
    """In TSCH mode there is no counter to compare: in the same slot a frame passes again, in the
    next it does not."""
    frame = in_slot(Frame(dst=OWN, src=PEER, ash=ash(5, None), private_part=b"payload"))
    node = Node(target, TSCH)
    assert [node.unsecure(frame).status for _ in range(2)] == ["WM_OK", "WM_OK"]
    assert node.set_asn(ASN + 1) == "WM_OK"
    assert node.unsecure(frame).status == "WM_ERR_SECURITY"


@pytest.mark.parametrize("dst_pan", [True, False])
def test_short_source_in_tsch(target: Target, dst_pan: bool) -> None:
    """2015: the nonce of a short source is made of PAN identifier and short address, 2012e: of the
    extended address."""
    frame = Frame(
        dst=OWN_SHORT if dst_pan else b"", src=PEER_SHORT, compression=True, ash=ash(5, None)
    )
    frame = replace(frame, private_part=b"payload", src_pan=PAN)
    short = model.secure(frame, KEY, "asn", ASN)
    nonce = PEER + ASN.to_bytes(5, "big")
    ciphertext, mic = model.ccm_star(KEY, nonce, frame.mhr(), frame.private_part, 4)
    extended = frame.mhr() + ciphertext + mic
    for edition, right, wrong in ((E2015, short, extended), (E2012E, extended, short)):
        target.reset()
        node = Node(target, replace(TSCH, edition=edition))
        found = node.unsecure(right)
        assert (found.status, found.octets, found.result["device"]) == ("WM_OK", frame.clear(), 0)
        assert found.result["mhr"]["src"]["mode"] == 2
        assert found.result["mhr"]["src_pan_present"] is False
        assert node.unsecure(wrong).status == "WM_ERR_SECURITY"


@pytest.mark.parametrize("edition", [E2012E, E2015])
def test_a_frame_that_is_sent_back(target: Target, edition: int) -> None:
    """A key for any device has no table that leaves this node out. What it sent in this slot comes
    from nobody, whoever sends it back; the same of another node is taken."""
    keys = (Key(devices=(), any_device=True),)
    pib = replace(TSCH, edition=edition, devices=(), keys=keys)
    for frame in (
        Frame(dst=b"\xff\xff", src=OWN, private_part=b"payload"),
        beacon(src=OWN).with_ash(None),
    ):
        node = Node(target, pib)
        sent = node.secure(frame.clear(), Params(1))
        assert sent.status == "WM_OK"
        assert node.unsecure(sent.octets).status == "WM_ERR_UNAVAILABLE_DEVICE"
        target.reset()
        other = replace(frame, src=PEER, ash=ash(1, None))
        assert Node(target, pib).unsecure(in_slot(other)).status == "WM_OK"
        target.reset()


def test_any_device(target: Target) -> None:
    """A key for any device takes TSCH frames of senders no table knows, by extended and by short
    address."""
    for source in (THIRD, b"\0\x77"):
        target.reset()
        node = Node(target, replace(TSCH, devices=(), keys=(Key(devices=(), any_device=True),)))
        frame = Frame(dst=OWN, src=source, ash=ash(5, None), private_part=b"payload")
        found = node.unsecure(model.secure(frame, KEY, "asn", ASN))
        assert (found.status, found.result["device"]) == ("WM_OK", 0xFFFF)


# Acknowledgments.

SENT = Frame(
    DATA, seq=9, dst=PEER, src=OWN, ack_request=True, ash=ash(5, None), private_part=b"payload"
)
SENT_AIR = model.secure(SENT, KEY, "asn", ASN)


def enh_ack(**members: Any) -> Frame:
    """PEER's answer to SENT."""
    parts: dict[str, Any] = {
        "seq": 9,
        "dst": OWN,
        "src": PEER,
        "ash": ash(5, None),
        "header_ies": model.time_correction(-5),
    }
    return Frame(ACK, **(parts | members))


ANSWERS = {
    "as usual": enh_ack(),
    "no addresses": enh_ack(dst=b"", src=b"", compression=True),
    "no source": enh_ack(src=b""),
    "no destination": enh_ack(dst=b""),
    "short source of the same device": enh_ack(src=PEER_SHORT),
    "in clear, without content": enh_ack(ash=None, header_ies=b""),
    "Imm-Ack": Frame(ACK, 1, 9),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_ack(target: Target, name: str) -> None:
    """Answers that are taken: an absent source is where the frame went; in clear only what says
    nothing."""
    frame = ANSWERS[name]
    node = Node(
        target, replace(TSCH, levels=(*ALL_TYPES[:2], Level(ACK, (0, 5))), coordinator=THIRD)
    )
    found = node.ack(SENT_AIR, in_slot(frame) if frame.ash else frame.clear())
    assert (found.status, found.octets) == (
        admitted(frame.ash.level if frame.ash else 0),
        frame.clear(),
    )
    assert found.result["device"] == (
        0 if name != "Imm-Ack" and frame.ash else found.result["device"]
    )


@pytest.mark.parametrize(
    ("frame", "status"),
    [
        (enh_ack(ash=None), "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        (
            enh_ack(ash=None, header_ies=model.HT2, private_part=b"data"),
            "WM_ERR_IMPROPER_SECURITY_LEVEL",
        ),
        (enh_ack(ash=None, header_ies=b"", private_part=b"data"), "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        (enh_ack(seq=10), "WM_ERR_NOT_FOR_US"),
        (enh_ack(seq=None), "WM_ERR_NOT_FOR_US"),
        (Frame(ACK, 1, 10), "WM_ERR_NOT_FOR_US"),
        (enh_ack(dst=THIRD), "WM_ERR_NOT_FOR_US"),
        (enh_ack(dst=OWN_SHORT), "WM_ERR_NOT_FOR_US"),
        (enh_ack(src=THIRD), "WM_ERR_NOT_FOR_US"),
        (enh_ack(src=b"\0\x09"), "WM_ERR_NOT_FOR_US"),
        (replace(enh_ack(), type=DATA), "WM_ERR_NOT_FOR_US"),
        (enh_ack(ash=ash(5, 7)), "WM_ERR_UNSUPPORTED_SECURITY"),
    ],
    ids=str,
)
def test_ack_refused(target: Target, frame: Frame, status: str) -> None:
    """An answer in clear with content to a secured frame, and whatever answers another frame or
    comes from another."""
    node = Node(
        target, replace(TSCH, levels=tuple(Level(level.type, (0, 5)) for level in ALL_TYPES))
    )
    before = node.memory()
    on_air = (
        model.secure(frame, KEY, "asn" if frame.ash.counter is None else "counter", ASN, PEER)
        if frame.ash
        else b""
    )
    refused = node.ack(SENT_AIR, on_air or frame.clear())
    assert (refused.status, refused.octets, node.memory()) == (
        status,
        on_air or frame.clear(),
        before,
    )


def test_ack_wrong_mic_and_cut(target: Target) -> None:
    """A forged answer releases nothing; a cut one is none."""
    node = Node(target, TSCH)
    frame = in_slot(enh_ack())
    forged = node.ack(SENT_AIR, frame[:-1] + bytes([frame[-1] ^ 1]))
    kept = behind_ash(enh_ack())
    assert (forged.status, forged.octets) == (
        "WM_ERR_SECURITY",
        frame[:kept] + bytes(len(frame) - kept),
    )
    assert node.ack(SENT_AIR, frame[:1]).status == "WM_ERR_MALFORMED"


def test_frame_that_asked_for_no_answer(target: Target) -> None:
    """A frame without Ack Request gets no answer."""
    silent = model.secure(replace(SENT, ack_request=False), KEY, "asn", ASN)
    assert Node(target, TSCH).ack(silent, in_slot(enh_ack())).status == "WM_ERR_NOT_FOR_US"


def test_content_in_clear_answers_a_clear_frame(target: Target) -> None:
    """Without security on the frame the rule of 2015 6.7.2 asks nothing of its answer; the level
    table still does."""
    clear = SENT.with_ash(None).clear()
    for allowed, status in (((0, 5), "WM_NOT_SECURED"), ((5,), "WM_ERR_IMPROPER_SECURITY_LEVEL")):
        target.reset()
        node = Node(target, replace(TSCH, levels=(Level(ACK, allowed),)))
        assert node.ack(clear, enh_ack(ash=None).clear()).status == status


def test_two_strangers_are_not_one(target: Target) -> None:
    """If any device may use the key, the answer must still come from the address that the frame was
    sent to."""
    node = Node(target, replace(TSCH, devices=(), keys=(Key(devices=(), any_device=True),)))
    for source, status in (
        (PEER, "WM_OK"),
        (b"\0\x09", "WM_ERR_NOT_FOR_US"),
        (THIRD, "WM_ERR_NOT_FOR_US"),
    ):
        frame = enh_ack(src=source)
        assert node.ack(SENT_AIR, model.secure(frame, KEY, "asn", ASN)).status == status


def test_ack_with_security_disabled(target: Target) -> None:
    """With secEnabled FALSE every answer in clear passes, but none that is secured."""
    node = Node(target, replace(TSCH, enabled=False))
    assert node.ack(SENT_AIR, enh_ack(ash=None).clear()).status == "WM_NOT_SECURED"
    assert node.ack(SENT_AIR, in_slot(enh_ack())).status == "WM_ERR_UNSUPPORTED_SECURITY"


@pytest.mark.parametrize("level", [0, 1, 5])
def test_ack_is_secured_as_the_frame_was(target: Target, level: int) -> None:
    """wm_ack_params takes level and key of the received frame."""
    frame = Frame(
        dst=OWN,
        src=PEER,
        private_part=b"payload",
        ash=ash(level, None, 3, 7, b"abcdefgh") if level else None,
    )
    levels = tuple(Level(entry.type, (0, 1, 5)) for entry in ALL_TYPES)
    node = Node(
        target, replace(TSCH, keys=(Key(lookups=(Lookup(3, 7, b"abcdefgh"),)),), levels=levels)
    )
    found = node.unsecure(in_slot(frame) if level else frame.clear())
    assert found.status == admitted(level)
    params = target.pack("wm_security_params")
    target.call("wm_ack_params", bytes(target.pack("wm_incoming", **found.result)), params)
    got = target.unpack("wm_security_params", params)
    expected = (level, 3, 7, b"abcdefgh") if level else (0, 0, 0, bytes(8))
    assert (got["level"], got["key_id_mode"], got["key_index"], got["key_source"]) == expected
    answer = Frame(ACK, seq=7, dst=PEER, src=OWN, header_ies=model.time_correction(1))
    made = node.secure(answer.clear(), Params(*expected) if level else Params(0))
    secured = answer.with_ash(frame.ash)
    assert made.octets == (model.secure(secured, KEY, "asn", ASN) if level else answer.clear())


# RFC 8180.


class Minimal:
    """A 6TiSCH minimal node: OWN, in PAN."""

    def __init__(self, target: Target, block: int = 4) -> None:
        self.block = block
        self.counters = Counters(target, slots=1)
        assert self.counters.create() == "WM_OK"
        self.node = Node(target, Pib())
        self.keys = target.buffer(target.layout("wm_minimal_keys").size)
        self.k1, self.k2 = (bound(target, "aes128_tab", key) for key in (K1, KEY))
        self.begin()

    def fill(self, store: int, asn_slot: int, **others: int) -> str:
        """wm_pib_minimal; what it refuses is left all zero. `others` take the place of `keys`, `k1`
        and `k2`."""
        own = {"keys": self.keys, "k1": self.k1, "k2": self.k2}
        pointers = {name: buffer.address for name, buffer in own.items()} | others
        status = self.node.target.call(
            "wm_pib_minimal", self.node.pib, *pointers.values(), store, asn_slot
        ).value
        if status:
            assert not any(self.node.pib.read())
        return name_of(status)

    def begin(self) -> None:
        """A life of the node: it opens the store and fills its PIB."""
        assert self.counters.open(block=self.block) == "WM_OK"
        assert self.fill(self.counters.store.address, 1) == "WM_OK"
        members = self.node.state() | {"pan": PAN, "ext_addr": OWN, "join_asn_max": b"\xff" * 5}
        self.node.pib.write(bytes(self.node.target.pack("wm_security_pib", **members)))


def test_minimal_k1(target: Target) -> None:
    """K1 is the public key that the RFC prints: the text 6TiSCH minimal15."""
    address = target.address_of("wm_minimal_k1")
    assert target.read(address, 16) == K1
    assert K1 == b"6TiSCH minimal15"


def test_minimal_asks_for_its_store(target: Target) -> None:
    """No store, no slot, a slot that forgets, one that the store does not have, no key or no room
    for the keys: there is no PIB, and what is there instead secures nothing."""
    minimal = Minimal(target)
    store = minimal.counters.store.address
    assert minimal.fill(0, 1) == "WM_ERR_PARAM"
    unmade = target.buffer(bytes(target.layout("wm_cipher").size)).address
    for missing in ("k1", "k2", "keys"):
        assert minimal.fill(store, 1, **{missing: 0}) == "WM_ERR_PARAM"
    for wiped in ("k1", "k2"):
        assert minimal.fill(store, 1, **{wiped: unmade}) == "WM_ERR_PARAM"
    for slot in (0, 2, 0xFF):
        assert minimal.fill(store, slot) == "WM_ERR_STORAGE"
    made = minimal.node.secure(Frame(dst=PEER, src=OWN).clear(), Params(5, 1, 2))
    assert made.status == "WM_ERR_UNAVAILABLE_KEY"


@pytest.mark.parametrize("block", [1, 4, 256])
def test_minimal_node_in_its_second_life(target: Target, block: int) -> None:
    """A recorded beacon does not bring the nonces of the first life back. In a step of 256 slots
    that is kept already the node goes on, whatever the block of the store."""
    minimal = Minimal(target, block)
    recorded = in_slot(beacon(), key=K1)
    out = Frame(dst=PEER, src=OWN, private_part=b"payload").clear()
    for status in ("WM_OK", "WM_ERR_COUNTER"):
        assert minimal.node.join(recorded).status == status
        if status == "WM_OK":
            assert minimal.node.set_asn(ASN + 1) == "WM_OK"
            assert minimal.node.secure(out, Params(5, 1, 2)).status == "WM_OK"
        minimal.begin()
    assert minimal.node.set_asn(ASN + 1) == "WM_ERR_COUNTER"


def test_minimal_node(target: Target) -> None:
    """It joins by K1, then takes data, acks and commands under K2, and sends them."""
    node = Minimal(target).node
    assert node.check() == "WM_OK"
    assert node.join(in_slot(beacon(), key=K1)).status == "WM_OK"
    assert node.set_asn(ASN + 1) == "WM_OK"
    frames = (
        Frame(dst=OWN, src=PEER, private_part=b"payload"),
        Frame(dst=OWN, src=PEER_SHORT, private_part=b"payload"),
        Frame(COMMAND, dst=OWN, src=PEER, private_part=b"\x04"),
        enh_ack(),
    )
    for frame in frames:
        secured = frame.with_ash(ash(5, None, index=2))
        found = node.unsecure(model.secure(secured, KEY, "asn", ASN + 1))
        assert (found.status, found.octets, found.result["key"]) == ("WM_OK", secured.clear(), 1)
    out = Frame(dst=PEER, src=OWN, private_part=b"payload")
    made = node.secure(out.clear(), Params(5, 1, 2))
    assert made.octets == model.secure(out.with_ash(ash(5, None, index=2)), KEY, "asn", ASN + 1)


@pytest.mark.parametrize(
    ("frame", "key", "status"),
    [
        (Frame(dst=OWN, src=PEER, private_part=b"x"), None, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        (beacon().with_ash(None), None, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        (enh_ack(ash=None), None, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        (
            Frame(COMMAND, dst=OWN, src=PEER, private_part=b"\x04"),
            None,
            "WM_ERR_IMPROPER_SECURITY_LEVEL",
        ),
        (
            Frame(dst=OWN, src=PEER, ash=ash(5, None, index=1), private_part=b"x"),
            K1,
            "WM_ERR_IMPROPER_KEY_TYPE",
        ),
        (replace(beacon(), ash=ash(1, None, index=2)), KEY, "WM_ERR_IMPROPER_KEY_TYPE"),
        (
            Frame(dst=OWN, src=PEER, ash=ash(1, None, index=2)),
            KEY,
            "WM_ERR_IMPROPER_SECURITY_LEVEL",
        ),
        (
            Frame(dst=OWN, src=PEER, ash=ash(6, None, index=2)),
            KEY,
            "WM_ERR_IMPROPER_SECURITY_LEVEL",
        ),
        (beacon(level=2), K1, "WM_ERR_IMPROPER_SECURITY_LEVEL"),
        (Frame(dst=OWN, src=PEER, ash=ash(5, None, index=3)), KEY, "WM_ERR_UNAVAILABLE_KEY"),
        (Frame(dst=OWN, src=PEER, ash=ash(5, 7, index=2)), KEY, "WM_ERR_UNSUPPORTED_SECURITY"),
        (Frame(dst=OWN, src=b"", ash=ash(5, None, index=2)), KEY, "WM_ERR_SECURITY"),
    ],
    ids=str,
)
def test_minimal_refusals(target: Target, frame: Frame, key: bytes | None, status: str) -> None:
    """It refuses what is in clear, the wrong key for the type, and any other level."""
    node = Minimal(target).node
    assert node.set_asn(ASN) == "WM_OK"
    form: model.NonceForm = "counter" if frame.ash and frame.ash.counter is not None else "asn"
    on_air = model.secure(frame, key, form, ASN, PEER) if key else frame.clear()
    before = node.memory()
    assert (node.unsecure(on_air).status, node.memory()) == (status, before)


def test_key_devices_and_tsch(target: Target) -> None:
    """2012e keeps to the key's device list also in TSCH; in 2015 that list is of counters, which
    TSCH has none of."""
    frame = in_slot(Frame(dst=OWN, src=PEER, ash=ash(5, None), private_part=b"payload"))
    for edition, devices, status in (
        (E2012E, (KeyDevice(),), "WM_OK"),
        (E2012E, (), "WM_ERR_UNAVAILABLE_DEVICE"),
        (E2015, (), "WM_OK"),
    ):
        target.reset()
        node = Node(target, replace(TSCH, edition=edition, keys=(Key(devices=devices),)))
        assert node.unsecure(frame).status == status
