# SPDX-License-Identifier: BSD-3-Clause
"""The PIB itself: what wm_pib_check refuses, counters over a restart, an ASH put into a frame and
taken out."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, COMMAND, Frame
from tests.stack.conftest import target_named
from tests.stack.link.editions import E2006, E2011, E2012E, E2015, EDITIONS, USED_UP
from tests.stack.link.frames import ash, data
from tests.stack.link.linklib import frame_max, length_of, link_target, name_of
from tests.stack.link.peers import KEY, OTHER_KEY, OWN, PEER, THIRD
from tests.stack.link.pib import Device, IeUse, Key, KeyDevice, Level, Lookup, Params, Pib
from tests.stack.link.securitylib import Node
from tests.stack.store.counterlib import MEDIUM_OCTETS, Counters
from tests.stack.store.counterlib import TARGETS as COUNTER_TARGETS
from wardmote.call import Target

V1 = data(ash=ash())

BAD: dict[str, Pib] = {
    "edition 4": Pib(4),
    "TSCH in 2006": Pib(E2006, True),
    "TSCH in 2011": Pib(E2011, True),
    "KeyIdMode 4": Pib(keys=(Key(lookups=(Lookup(4, 1),)),)),
    "KeyIndex 0": Pib(keys=(Key(lookups=(Lookup(2, 0, b"abcd"),)),)),
    "mode 0 without address": Pib(keys=(Key(lookups=(Lookup(0, 0, b""),)),)),
    "key for frame type 4": Pib(keys=(Key(usage=((4, 0),)),)),
    "device past the table": Pib(keys=(Key(devices=(KeyDevice(1),)),)),
    "devices of a key without table": Pib(devices=()),
    "second key": Pib(keys=(Key(), Key(lookups=(Lookup(1, 0),)))),
    "one key with two counters": Pib(
        keys=(Key(counter=0), Key(OTHER_KEY, counter=0), Key(counter=0))
    ),
    "one key with its own counter and the device's": Pib(
        keys=(Key(counter=0), Key(lookups=(Lookup(index=2),)))
    ),
    "level for frame type 4": Pib(levels=(Level(4),)),
    "minimum 8": Pib(levels=(Level(minimum=8),)),
    "kind of IE 4": Pib(ie_usage=(IeUse(4, 0, ()),)),
}


@pytest.mark.parametrize("name", BAD)
def test_check_refuses(target: Target, name: str) -> None:
    """A table with a value that no table can have is refused."""
    assert Node(target, BAD[name]).check() == "WM_ERR_PARAM"


MISSING = ("keys", "devices", "levels", "ie_usage")


@pytest.mark.parametrize(
    "member", [*MISSING, "nonce_form", "device_counters", "key_count", "device_count"]
)
def test_check_refuses_missing_tables(target: Target, member: str) -> None:
    """A count without a table, a table as long as WM_NO_INDEX, devices
    without counters."""
    node = Node(target, Pib(E2012E, ie_usage=(IeUse(0, 0, ()),)))
    value = {"nonce_form": 2, "key_count": 0xFFFF, "device_count": 0xFFFF}.get(member, 0)
    assert node.check() == "WM_OK"
    node.pib.write(bytes(target.pack("wm_security_pib", **(node.state() | {member: value}))))
    assert node.check() == "WM_ERR_PARAM"


@pytest.mark.parametrize("member", ["id_lookup", "usage", "devices", "cipher"])
def test_check_refuses_missing_parts_of_a_key(target: Target, member: str) -> None:
    """A key that was not made, or a count without its list."""
    node = Node(target, Pib())
    table = node.tables["keys"]
    table.write(
        bytes(
            target.pack(
                "wm_key_descriptor",
                **(target.unpack("wm_key_descriptor", table.read()) | {member: 0}),
            )
        )
    )
    assert node.check() == "WM_ERR_PARAM"


@pytest.mark.parametrize("edition", EDITIONS)
def test_check_accepts(target: Target, edition: int) -> None:
    """A whole PIB, one in TSCH mode without counters, and an empty one."""
    everything = (
        Key(
            lookups=(
                Lookup(0, 0, PEER),
                Lookup(1, 255),
                Lookup(2, 1, b"abcd"),
                Lookup(3, 1, b"abcdefgh"),
            )
        ),
    )
    assert (
        Node(target, Pib(edition, keys=everything, ie_usage=(IeUse(3, 0, ()),))).check() == "WM_OK"
    )
    target.reset()
    assert Node(target, Pib(edition, keys=(), devices=(), levels=())).check() == "WM_OK"
    if edition <= E2012E:
        node = Node(target, Pib(edition, True))
        node.pib.write(
            bytes(target.pack("wm_security_pib", **(node.state() | {"device_counters": 0})))
        )
        assert node.check() == "WM_OK"


# Over a restart.


@pytest.fixture(params=COUNTER_TARGETS)
def counters(request: pytest.FixtureRequest) -> Iterator[Counters]:
    """An empty store with blocks of 4, on a medium in RAM."""
    store = Counters(link_target(request.param), slots=3)
    assert store.create() == "WM_OK"
    assert store.open() == "WM_OK"
    yield store
    store.target.reset()


def stored(store: Counters, edition: int) -> Pib:
    """A PIB whose counters are in the store: 0 secFrameCounter, 1 of the key, 2 of the device under
    the key."""
    device = KeyDevice(slot=2)
    key = Key(devices=(device,), counter=0 if edition == E2015 else None, slot=1)
    return Pib(edition, keys=(key,), devices=(Device(slot=2),), slot=0, store=store.store.address)


@pytest.mark.parametrize("distance", [1 << bit for bit in range(7)])
def test_every_slot_is_another(distance: int) -> None:
    """Two counters may be in any two slots of the largest store, but not in the same."""
    counters = Counters(link_target("host"))
    assert (counters.create(), counters.open()) == ("WM_OK", "WM_OK")
    opened = counters.target.unpack("wm_counter_store", counters.store.read())
    largest = counters.target.pack("wm_counter_store", **(opened | {"slots": 128}))
    counters.store.write(bytes(largest))
    for first in range(128):
        for second in (first ^ distance, first):
            key = Key(devices=(KeyDevice(slot=second),))
            pib = Pib(keys=(key,), slot=first, store=counters.store.address)
            checked = Node(counters.target, pib).check()
            assert checked == ("WM_OK" if first != second else "WM_ERR_STORAGE"), (first, second)
    counters.target.reset()


@pytest.mark.parametrize("edition", EDITIONS)
def test_restart(counters: Counters, edition: int) -> None:
    """After a restart no nonce comes again and no frame is taken again, and the store was written
    once in a block."""
    pib = stored(counters, edition)
    node = Node(counters.target, pib)
    secured = [node.secure(data().clear()) for _ in range(6)]
    assert {made.status for made in secured} == {"WM_OK"}
    assert len({made.octets for made in secured}) == 6
    taken = [model.secure(replace(V1, ash=ash(5, counter)), KEY) for counter in (0, 1, 5, 9)]
    assert [node.unsecure(frame).status for frame in taken] == ["WM_OK"] * 4
    out = 1 if edition == E2015 else 0
    assert (counters.limit(out), counters.limit(2)) == (8, 12)

    assert counters.open() == "WM_OK"
    after = Node(counters.target, pib)
    counters.target.call("wm_pib_restore", after.pib)
    assert (after.key_counter() if edition == E2015 else after.counter()) == 8
    assert after.incoming_counter() == 12
    assert after.secure(data().clear()).octets == model.secure(replace(V1, ash=ash(5, 8)), KEY)
    for counter, status in (
        (0, "WM_ERR_COUNTER"),
        (9, "WM_ERR_COUNTER"),
        (11, "WM_ERR_COUNTER"),
        (12, "WM_OK"),
    ):
        assert after.unsecure(model.secure(replace(V1, ash=ash(5, counter)), KEY)).status == status


@pytest.mark.parametrize("used", [1, 3, 4, 5, 9])
@pytest.mark.parametrize("edition", EDITIONS)
def test_counters_that_were_not_restored_count_nothing(
    counters: Counters, edition: int, used: int
) -> None:
    """A caller that forgets wm_pib_restore after a restart gets an error, not old nonces and old
    frames."""
    pib = stored(counters, edition)
    node = Node(counters.target, pib)
    assert {node.secure(data().clear()).status for _ in range(used)} == {"WM_OK"}
    frame = model.secure(replace(V1, ash=ash(5, used - 1)), KEY)
    assert node.unsecure(frame).status == "WM_OK"
    assert counters.open() == "WM_OK"
    after = Node(counters.target, pib)
    before = after.memory()
    assert (after.secure(data().clear()).status, after.memory()) == ("WM_ERR_STORAGE", before)
    assert (after.unsecure(frame).status, after.memory()) == ("WM_ERR_STORAGE", before)
    counters.target.call("wm_pib_restore", after.pib)
    assert after.secure(data().clear()).status == "WM_OK"
    assert after.unsecure(frame).status == "WM_ERR_COUNTER"


@pytest.mark.parametrize("edition", EDITIONS)
def test_limits_are_ahead_of_every_frame(counters: Counters, edition: int) -> None:
    """When a frame is out, or released, the store's limit is already past its counter: power may
    fail at any moment."""
    node = Node(counters.target, stored(counters, edition))
    out = 1 if edition == E2015 else 0
    for counter in range(10):
        assert node.secure(data().clear()).octets == model.secure(
            replace(V1, ash=ash(5, counter)), KEY
        )
        assert counters.limit(out) > counter
        assert node.unsecure(model.secure(replace(V1, ash=ash(5, counter)), KEY)).status == "WM_OK"
        assert counters.limit(2) > counter


def test_restore_never_goes_back(counters: Counters) -> None:
    """A counter that is further than the store says stays; one without a slot is not touched."""
    pib = replace(stored(counters, E2015), counter=1000)
    keys = (replace(pib.keys[0], counter=50, devices=(KeyDevice(counter=7),)),)
    node = Node(counters.target, replace(pib, keys=keys))
    assert counters.advance(1, 60) == "WM_OK"
    counters.target.call("wm_pib_restore", node.pib)
    assert (node.counter(), node.key_counter(), node.incoming_counter()) == (1000, 60, 7)


def test_restore_of_a_store_that_is_lost(counters: Counters) -> None:
    """A store that cannot be opened reports every counter as used up. Nothing is sent or taken."""
    counters.alter(octet=[0] * MEDIUM_OCTETS)
    assert counters.open() != "WM_OK"
    node = Node(counters.target, stored(counters, E2015))
    counters.target.call("wm_pib_restore", node.pib)
    assert (node.counter(), node.key_counter(), node.incoming_counter()) == (
        USED_UP,
        USED_UP,
        USED_UP,
    )
    slots = Node(counters.target, Pib(asn_form=True, asn_slot=0, store=counters.store.address))
    counters.target.call("wm_pib_restore", slots.pib)
    assert slots.set_asn((1 << 40) - 257) == "WM_ERR_COUNTER"
    assert node.secure(data().clear()).status == "WM_ERR_COUNTER"
    assert node.unsecure(model.secure(V1, KEY)).status == "WM_ERR_COUNTER"


def test_restore_without_store(target: Target) -> None:
    """Without a store every counter stays where it is."""
    node = Node(target, Pib(slot=0, counter=5))
    before = node.memory()
    target.call("wm_pib_restore", node.pib)
    assert node.memory() == before


@pytest.mark.parametrize("sends", [True, False], ids=["sends", "receives"])
@pytest.mark.parametrize("edition", [E2012E, E2015])
def test_restart_in_tsch(counters: Counters, edition: int, sends: bool) -> None:
    """After a restart no slot before the last one used is secured in again, and no old beacon
    brings its time back."""
    asn = 0x0102030405
    pib = Pib(edition, True, asn=asn, asn_slot=0, store=counters.store.address)
    node = Node(counters.target, pib)
    frame = data(version=2, compression=False)
    if sends:
        assert node.secure(frame.clear()).status == "WM_OK"
    else:
        secured = frame.with_ash(ash(5, None))
        assert node.unsecure(model.secure(secured, KEY, "asn", asn)).status == "WM_OK"
    first = (counters.limit(0) << 8) - asn
    assert 0 < first <= 5 * 256
    assert counters.open() == "WM_OK"
    after = Node(counters.target, replace(pib, asn=0))
    counters.target.call("wm_pib_restore", after.pib)
    assert after.set_asn(asn) == "WM_ERR_COUNTER"
    for later, status in ((0, "WM_ERR_COUNTER"), (first - 1, "WM_ERR_COUNTER"), (first, "WM_OK")):
        body = model.Beacon(asn + later).payload()
        beacon = Frame(
            0, dst=b"\xff\xff", src=PEER, ash=ash(1, None), header_ies=model.HT1, private_part=body
        )
        assert after.join(model.secure(beacon, KEY, "asn", asn + later)).status == status


def test_last_step_of_asns_over_a_restart(counters: Counters) -> None:
    """The store cannot tell the last 256 ASNs apart. After a restart none of them is used in a
    nonce again."""
    last = ((1 << 40) - 1) & ~0xFF
    pib = Pib(asn_form=True, asn=last, asn_slot=0, store=counters.store.address)
    clear = data(version=2, compression=False)
    assert Node(counters.target, pib).secure(clear.clear()).status == "WM_OK"
    assert counters.open() == "WM_OK"
    after = Node(counters.target, replace(pib, asn=0))
    counters.target.call("wm_pib_restore", after.pib)
    assert after.set_asn(last) == "WM_ERR_COUNTER"
    assert after.secure(clear.clear()).status == "WM_ERR_COUNTER"
    secured = model.secure(clear.with_ash(ash(5, None)), KEY, "asn", last)
    assert after.unsecure(secured).status == "WM_ERR_COUNTER"


@pytest.mark.parametrize("sends", [True, False], ids=["sends", "receives"])
def test_slot_is_not_kept(counters: Counters, sends: bool) -> None:
    """When the store cannot keep the ASN, nothing is sent or released in this slot."""
    node = Node(counters.target, Pib(asn_form=True, asn_slot=0, store=counters.store.address))
    before = node.memory()
    counters.power_fails(1, 1)
    frame = data(version=2, compression=False)
    secured = model.secure(frame.with_ash(ash(5, None)), KEY, "asn", 0x0102030405)
    outcome = node.secure(frame.clear()) if sends else node.unsecure(secured)
    assert (outcome.status, node.memory()) == ("WM_ERR_STORAGE", before)


@pytest.mark.parametrize("edition", EDITIONS)
def test_power_fails_while_a_counter_is_kept(counters: Counters, edition: int) -> None:
    """When the store cannot write, nothing is sent or released, and no counter changes."""
    node = Node(counters.target, stored(counters, edition))
    before = node.memory()
    counters.power_fails(1, 1)
    clear, secured = data().clear(), model.secure(V1, KEY)
    sent = node.secure(clear)
    assert (sent.status, sent.octets, node.memory()) == ("WM_ERR_STORAGE", clear, before)
    taken = node.unsecure(secured)
    assert (taken.status, node.memory()) == ("WM_ERR_STORAGE", before)
    kept = len(V1.mhr())
    assert taken.octets == secured[:kept] + bytes(len(secured) - kept)


def test_refused_frames_are_not_written(counters: Counters) -> None:
    """Forged frames do not wear the medium."""
    node = Node(counters.target, stored(counters, E2015))
    before = counters.look()
    for counter in (0, 1000, USED_UP - 1):
        forged = model.secure(replace(V1, ash=ash(5, counter)), OTHER_KEY)
        assert node.unsecure(forged).status == "WM_ERR_SECURITY"
    assert counters.look() == before


# ASH in, ASH out.


def insert(
    target: Target, frame: bytes, header: dict[str, Any], size: int = 125
) -> tuple[str, bytes]:
    """wm_ash_insert: status, and the frame or when refused all its octets."""
    octets, length = bytearray(frame.ljust(size, b"\0")), length_of(target, len(frame))
    packed = bytes(target.pack("wm_ash", **header))
    status = target.call("wm_ash_insert", octets, size, length, packed).value
    return name_of(status), bytes(octets[: int.from_bytes(length, "little")])


def remove(target: Target, frame: bytes) -> tuple[str, bytes]:
    """wm_ash_remove."""
    octets, length = bytearray(frame), length_of(target, len(frame))
    status = target.call("wm_ash_remove", octets, length).value
    return name_of(status), bytes(octets[: int.from_bytes(length, "little")])


def members(value: model.Ash) -> dict[str, Any]:
    """A wm_ash."""
    return {
        "level": value.level,
        "key_id_mode": value.key_id_mode,
        "counter_suppressed": value.counter is None,
        "asn_in_nonce": value.asn_in_nonce,
        "frame_counter": value.counter or 0,
        "key_source": value.key_source,
        "key_index": value.key_index,
    }


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("version", [0, 1, 2])
def test_ash_in_and_out(target: Target, version: int, mode: int) -> None:
    """The ASH goes between addresses and IEs or payload, and comes out again; version 0 stays
    version 1."""
    header = ash(
        6, None if version == 2 else 0x01020304, mode, 9, b"abcdefgh"[: (0, 0, 4, 8)[mode]]
    )
    ies = model.time_correction(1) + model.HT2 if version == 2 else b""
    clear = replace(data(version=version, compression=version != 2), header_ies=ies)
    secured = replace(clear, version=max(version, 1), ash=header)
    status, octets = insert(target, clear.clear(), members(header))
    assert (status, octets) == ("WM_OK", secured.clear())
    assert remove(target, octets) == ("WM_OK", secured.with_ash(None).clear())
    assert remove(target, clear.clear()) == ("WM_OK", clear.clear())


@pytest.mark.parametrize(
    ("frame", "header", "size", "status"),
    [
        (V1.clear(), ash(), 125, "WM_ERR_PARAM"),
        (data().clear(), ash(8), 125, "WM_ERR_PARAM"),
        (data().clear(), ash(index=0), 125, "WM_ERR_PARAM"),
        (data().clear(), ash(5, None), 125, "WM_ERR_PARAM"),
        (data().clear(), ash(), len(data().clear()) + 5, "WM_ERR_FRAME_TOO_LONG"),
        (data().clear()[:9], ash(), 125, "WM_ERR_MALFORMED"),
    ],
)
def test_ash_refused(
    target: Target, frame: bytes, header: model.Ash, size: int, status: str
) -> None:
    """What no header can say, and what does not fit, leaves the frame alone."""
    assert insert(target, frame, members(header), size) == (status, frame)


def test_ash_too_long(target: Target) -> None:
    """An ASH that would make a frame longer than WM_FRAME_MAX leaves it alone, whatever room there
    is."""
    most = frame_max(target)
    full, over = (data(bytes(most - len(data(b"").clear()) - left)).clear() for left in (6, 5))
    assert insert(target, full, members(ash()), most)[0] == "WM_OK"
    assert insert(target, over, members(ash()), most + 5) == ("WM_ERR_FRAME_TOO_LONG", over)


def test_ash_is_not_taken_out_of_what_is_no_frame(target: Target) -> None:
    """A frame cut in its ASH, or a secured one of version 0, stays as it is."""
    cut = V1.clear()[: len(V1.addressing()) + 3]
    assert remove(target, cut) == ("WM_ERR_MALFORMED", cut)
    old = replace(V1, version=0).clear()
    assert remove(target, old) == ("WM_ERR_UNSUPPORTED_LEGACY", old)


@settings(max_examples=100)
@given(st.data())
def test_random_frames_go_both_ways(draw: st.DataObject) -> None:
    """Any frame that the outgoing procedure secures is the model's, the incoming one opens it, and
    without ASH it is the frame in clear again."""
    host = target_named("host")
    host.reset()
    edition = draw.draw(st.sampled_from((E2012E, E2015)))
    tsch = draw.draw(st.booleans())
    level = draw.draw(st.sampled_from((1, 2, 3, 5, 6, 7)))
    mode = draw.draw(st.integers(1, 3))
    source = {1: b"", 2: b"abcd", 3: b"abcdefgh"}[mode]
    kind = draw.draw(st.sampled_from((1, ACK, COMMAND)))
    ies = draw.draw(st.sampled_from((b"", model.HT2, model.time_correction(9) + model.HT1)))
    body = draw.draw(st.binary(min_size=1, max_size=50))
    if ies.endswith(model.HT1):
        body = model.payload_ie(2, body[:20]) + model.payload_ie(0xF, b"") + body
    dst = draw.draw(st.sampled_from((OWN, b"\0\x01", b"")))
    clear = Frame(
        kind,
        dst=dst,
        src=PEER,
        header_ies=ies,
        private_part=body,
        seq=draw.draw(st.integers(0, 255)),
    )
    lookup = Lookup(mode, 3, source or Lookup().source)
    common = Pib(
        edition, tsch, keys=(Key(lookups=(lookup,)),), devices=(Device(THIRD), Device()), counter=77
    )
    common = replace(common, keys=(replace(common.keys[0], devices=(KeyDevice(1),)),))
    made = Node(host, replace(common, own=PEER)).secure(
        clear.clear(), Params(level, mode, 3, source)
    )
    secured = clear.with_ash(ash(level, None if tsch else 77, mode, 3, source))
    assert made.octets == model.secure(secured, KEY, "asn" if tsch else "counter", 0x0102030405)
    found = Node(host, common).unsecure(made.octets)
    assert (found.status, found.octets, found.result["device"]) == ("WM_OK", secured.clear(), 1)
    assert remove(host, found.octets) == ("WM_OK", clear.clear())
