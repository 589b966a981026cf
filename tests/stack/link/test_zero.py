# SPDX-License-Identifier: BSD-3-Clause
"""Structs that nobody filled mean the strictest policy: zero is the newest edition, security on, no
level, no counter slot."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.stack.link.editions import E2006, E2011, E2012E, E2015, NO_SLOT, VOLATILE
from tests.stack.link.frames import air, ash, data, in_slot
from tests.stack.link.linklib import Link, link_target
from tests.stack.link.peers import THIRD
from tests.stack.link.pib import Device, Key, KeyDevice, Level, Params, Pib
from tests.stack.link.securitylib import Node
from tests.stack.link.simulation import LEAF, Simulation
from tests.stack.store.counterlib import Counters
from wardmote.call import Target

V1 = data()
SLOTS = 3


@pytest.fixture(params=("host", "msp430", "armv7m"))
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """The link layer on a CPU."""
    found = link_target(request.param)
    yield found
    found.reset()


@pytest.fixture
def store(target: Target) -> int:
    """The address of an open store of SLOTS slots."""
    counters = Counters(target, slots=SLOTS)
    assert (counters.create(), counters.open(block=1)) == ("WM_OK", "WM_OK")
    return counters.store.address


def test_security(target: Target) -> None:
    """A wm_security of zeros has the 2015 profile: level 4 is refused."""
    link = Link(target.name)
    security = target.unpack("wm_security", target.pack("wm_security"))
    assert security["profile"] == target.prototypes.constants["WM_PROFILE_2015"]
    forged = air(replace(V1, ash=ash(4)))
    answer = link.unsecure(forged, key=bytes(16), profile=security["profile"])
    assert answer.status == "WM_ERR_UNSUPPORTED_SECURITY"


def test_pib(target: Target) -> None:
    """A wm_security_pib of zeros admits and secures nothing."""
    node = Node(target, Pib())
    node.pib.write(bytes(target.pack("wm_security_pib")))
    assert node.state()["edition"] == E2015
    assert node.unsecure(V1.clear()).status == "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"
    assert node.unsecure(air(replace(V1, ash=ash(5)))).status == "WM_ERR_UNAVAILABLE_KEY"
    assert node.secure(V1.clear()).status == "WM_ERR_UNAVAILABLE_KEY"


@pytest.mark.parametrize("edition", [E2006, E2011, E2012E, E2015])
def test_level_descriptor(target: Target, edition: int) -> None:
    """A level descriptor of zeros admits no frame that anybody can write: not in clear, not at level
    4."""
    empty = Level(allowed=(), minimum=0, unproven=False)
    node = Node(target, Pib(edition, levels=(empty,)))
    refused = "WM_ERR_IMPROPER_SECURITY_LEVEL"
    assert node.unsecure(V1.clear()).status == refused
    level_4 = "WM_ERR_UNSUPPORTED_SECURITY" if edition == E2015 else refused
    assert node.unsecure(air(replace(V1, ash=ash(4)))).status == level_4


def counters_of(edition: int, slots: tuple[int, int], store: int) -> Pib:
    """A PIB whose outgoing and incoming counter have these slots."""
    out, incoming = slots
    key = Key(devices=(KeyDevice(slot=incoming if edition == E2015 else NO_SLOT),))
    devices = (Device(slot=incoming if edition != E2015 else NO_SLOT),)
    return Pib(edition, keys=(key,), devices=devices, slot=out, store=store)


@pytest.mark.parametrize("edition", [E2006, E2011, E2012E, E2015])
def test_counters_without_a_slot(target: Target, store: int, edition: int) -> None:
    """A counter whose slot is zero, is another counter's, or is not in the store: wm_pib_check
    refuses the PIB."""
    for slots, there, status in (
        ((0, 1), True, "WM_OK"),
        ((VOLATILE, VOLATILE), False, "WM_OK"),
        ((NO_SLOT, 1), True, "WM_ERR_STORAGE"),
        ((0, NO_SLOT), True, "WM_ERR_STORAGE"),
        ((1, 1), True, "WM_ERR_STORAGE"),
        ((0, SLOTS), True, "WM_ERR_STORAGE"),
        ((0, 1), False, "WM_ERR_STORAGE"),
    ):
        node = Node(target, counters_of(edition, slots, store if there else 0))
        assert node.check() == status, (slots, there)


@pytest.mark.parametrize(
    ("slot", "status"), [(2, "WM_OK"), (NO_SLOT, "WM_ERR_STORAGE"), (1, "WM_ERR_STORAGE")]
)
@pytest.mark.parametrize("counts", [(1, 1, 2), (1, 2, 2), (2, 1, 2), (2, 2, 1)])
def test_keys_that_share_devices(
    target: Target, store: int, counts: tuple[int, ...], slot: int, status: str
) -> None:
    """Keys may share a list of devices, and one may use less of it than another: each counter of the
    longest needs a slot, and one slot is enough for it."""
    entries = (KeyDevice(slot=1), KeyDevice(1, slot=slot))
    keys = tuple(Key(octets=bytes([n] * 16), devices=entries) for n in range(len(counts)))
    pib = Pib(E2015, keys=keys, devices=(Device(), Device(THIRD)), slot=0, store=store)
    node = Node(target, pib)
    size, table = target.layout("wm_key_descriptor").size, node.tables["keys"].read()
    parts = [table[at : at + size] for at in range(0, len(table), size)]
    fields = [target.unpack("wm_key_descriptor", part) for part in parts]
    shared = [
        bytes(
            target.pack(
                "wm_key_descriptor",
                **members | {"devices": fields[0]["devices"], "device_count": count},
            )
        )
        for members, count in zip(fields, counts, strict=True)
    ]
    node.tables["keys"].write(b"".join(shared))
    assert node.check() == status


@pytest.mark.parametrize("edition", [E2006, E2011, E2012E, E2015])
def test_use_without_a_slot(target: Target, store: int, edition: int) -> None:
    """Nor can such a counter be used without that check: nothing is sent, nothing is admitted."""
    for there in (store, 0):
        node = Node(target, counters_of(edition, (NO_SLOT, NO_SLOT), there))
        target.call("wm_pib_restore", node.pib)
        before = node.memory()
        assert node.secure(V1.clear()).status == "WM_ERR_STORAGE"
        assert node.unsecure(air(replace(V1, ash=ash(5)))).status == "WM_ERR_STORAGE"
        assert node.memory() == before


def test_asn_without_a_slot(target: Target, store: int) -> None:
    """In TSCH mode the ASN needs a slot, and the counters do not."""
    without = Pib(asn_form=True, asn_slot=NO_SLOT, store=store)
    node = Node(target, without)
    assert node.check() == "WM_ERR_STORAGE"
    assert node.secure(data(version=2, compression=False).clear()).status == "WM_ERR_STORAGE"
    assert node.unsecure(in_slot(data(version=2, compression=False, ash=ash(5, None)))).status == (
        "WM_ERR_STORAGE"
    )
    no_counters = counters_of(E2015, (NO_SLOT, NO_SLOT), store)
    assert Node(target, replace(no_counters, asn_form=True, asn_slot=2)).check() == "WM_OK"


def test_volatile_asn_beside_a_store(target: Target, store: int) -> None:
    """An ASN that lives in RAM alone needs nothing of a store that is there for other counters."""
    node = Node(target, Pib(asn_form=True, asn_slot=VOLATILE, store=store))
    assert node.check() == "WM_OK"
    received = in_slot(data(version=2, compression=False, ash=ash(5, None)))
    assert node.unsecure(received).status == "WM_OK"
    assert node.secure(data(version=2, compression=False).clear()).status == "WM_OK"
    again = node.secure(data(version=2, compression=False).clear())
    assert again.status == "WM_ERR_COUNTER", "one frame a slot"


@pytest.mark.parametrize("edition", [E2006, E2011, E2012E, E2015])
def test_wiped_key(target: Target, edition: int) -> None:
    """A key that was wiped while its descriptor stays: frame and PIB are as they were."""
    node = Node(target, Pib(edition))
    keys = target.unpack("wm_key_descriptor", node.tables["keys"].read())
    target.call("wm_wipe", keys["cipher"], target.layout("wm_cipher").size)
    before = node.memory()
    for procedure, frame in (
        (node.secure, V1.clear()),
        (node.unsecure, air(replace(V1, ash=ash(5)))),
    ):
        refused = procedure(frame)
        assert (refused.status, refused.octets) == ("WM_ERR_UNAVAILABLE_KEY", frame)
        assert node.memory() == before


def test_two_devices_in_one_slot(target: Target, store: int) -> None:
    """Two devices in one slot: one would mute the other."""
    entries = (KeyDevice(slot=1), KeyDevice(device=1, slot=1))
    devices = (Device(), Device(bytes(7) + b"\7", b""))
    pib = Pib(keys=(Key(devices=entries),), devices=devices, slot=0, store=store)
    assert Node(target, pib).check() == "WM_ERR_STORAGE"
    apart = (entries[0], replace(entries[1], slot=2))
    pib = replace(pib, keys=(Key(devices=apart),))
    assert Node(target, pib).check() == "WM_OK"


def test_params_of_zeros(target: Target) -> None:
    """wm_security_params of zeros secure nothing, and the status says so."""
    node = Node(target, Pib())
    assert node.secure(V1.clear(), Params(0, 0, 0)).status == "WM_NOT_SECURED"


def test_tsch_level_0_is_asked_for() -> None:
    """A TSCH network without security says `unsecured`; a level that was forgotten is refused, and
    so is a level that contradicts."""
    for level, unsecured, status in (
        (0, False, "WM_ERR_PARAM"),
        (5, True, "WM_ERR_PARAM"),
        (0, True, "WM_OK"),
    ):
        assert Simulation(level=level, unsecured=unsecured).status[LEAF] == status
