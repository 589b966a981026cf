# SPDX-License-Identifier: BSD-3-Clause
"""A node that starts again on the same store, with whatever its PIB says: no nonce comes twice, no
frame is taken twice, whether or not the PIB was restored and however large the blocks were."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.editions import E2011, E2012E, E2015
from tests.stack.link.frames import ash, data
from tests.stack.link.linklib import link_target
from tests.stack.link.peers import KEY, PEER
from tests.stack.link.pib import Device, Key, KeyDevice, Pib
from tests.stack.link.securitylib import Node
from tests.stack.store.counterlib import TARGETS, Counters

BLOCKS = ((4, 4), (4, 64), (64, 4), (1, 1024), (256, 1))
"""Of the first life, and of the second."""
USED = (1, 4, 9)
ASN = 0x0102030405


@pytest.fixture(params=TARGETS)
def counters(request: pytest.FixtureRequest) -> Iterator[Counters]:
    """A formatted store on a medium in RAM."""
    store = Counters(link_target(request.param), slots=2)
    assert store.create() == "WM_OK"
    yield store
    store.target.reset()


def begin(store: Counters, block: int, pib: Pib, *, restored: bool) -> Node:
    """A life of a node."""
    assert store.open(block=block) == "WM_OK"
    node = Node(store.target, pib)
    if restored:
        store.target.call("wm_pib_restore", node.pib)
    return node


def stored(store: Counters, edition: int, out: int = 0, incoming: int = 0) -> Pib:
    """A PIB with one outgoing and one incoming counter in the store, which stand at these values."""
    key = Key(devices=(KeyDevice(counter=incoming, slot=1),))
    devices = (Device(counter=incoming, slot=1),)
    return Pib(
        edition, keys=(key,), devices=devices, counter=out, slot=0, store=store.store.address
    )


def frame_of(counter: int) -> bytes:
    """A frame of the peer."""
    return model.secure(data().with_ash(ash(5, counter)), KEY)


def counter_in(frame: bytes) -> int:
    """Frame counter of a frame that the node made from `data()`."""
    at = len(data().mhr()) + 1
    return int.from_bytes(frame[at : at + 4], "little")


@pytest.mark.parametrize("used", USED)
@pytest.mark.parametrize("blocks", BLOCKS, ids=str)
@pytest.mark.parametrize("edition", [E2011, E2015])
def test_counters(counters: Counters, edition: int, blocks: Sequence[int], used: int) -> None:
    """A counter that starts anywhere, not restored, makes and takes no frame of the first life."""
    node = begin(counters, blocks[0], stored(counters, edition), restored=True)
    made = [node.secure(data().clear()) for _ in range(used)]
    assert [counter_in(outcome.octets) for outcome in made] == list(range(used))
    taken = [frame_of(counter) for counter in range(used)]
    assert {node.unsecure(frame).status for frame in taken} == {"WM_OK"}
    for start in {0, used - 1}:
        after = begin(counters, blocks[1], stored(counters, edition, start, start), restored=False)
        before = after.memory()
        assert after.secure(data().clear()).status == "WM_ERR_STORAGE"
        assert after.unsecure(taken[start]).status == "WM_ERR_STORAGE"
        assert after.memory() == before
    after = begin(counters, blocks[1], stored(counters, edition), restored=True)
    more = after.secure(data().clear())
    assert more.status == "WM_OK"
    assert counter_in(more.octets) >= used
    assert {after.unsecure(frame).status for frame in taken} == {"WM_ERR_COUNTER"}


@pytest.mark.parametrize("used", USED)
@pytest.mark.parametrize("blocks", BLOCKS, ids=str)
@pytest.mark.parametrize("edition", [E2012E, E2015])
def test_slots(counters: Counters, edition: int, blocks: Sequence[int], used: int) -> None:
    """In TSCH mode a PIB that was not restored secures, accepts and joins in no slot of the first
    life."""
    clear = data(version=2, compression=False)
    secured = clear.with_ash(ash(5, None))
    pib = Pib(edition, True, asn=0, asn_slot=0, store=counters.store.address)
    slots = [ASN + 256 * n for n in range(used)]
    node = begin(counters, blocks[0], pib, restored=True)
    for asn in slots:
        assert node.set_asn(asn) == "WM_OK"
        assert node.secure(clear.clear()).status == "WM_OK"
    for asn in {slots[0], slots[-1]}:
        after = begin(counters, blocks[1], replace(pib, asn=asn), restored=False)
        before = after.memory()
        received = model.secure(secured, KEY, "asn", asn)
        assert after.secure(clear.clear()).status == "WM_ERR_STORAGE"
        assert after.unsecure(received).status == "WM_ERR_STORAGE"
        assert after.join(joining(asn)).status == "WM_ERR_STORAGE"
        assert after.memory() == before
    after = begin(counters, blocks[1], pib, restored=True)
    assert after.set_asn(slots[-1]) == "WM_ERR_COUNTER"
    assert after.join(joining(slots[-1])).status == "WM_ERR_COUNTER"


def joining(asn: int) -> bytes:
    """The Enhanced Beacon of a slot."""
    beacon = model.Frame(
        0,
        dst=b"\xff\xff",
        src=PEER,
        ash=ash(1, None),
        header_ies=model.HT1,
        private_part=model.Beacon(asn).payload(),
    )
    return model.secure(beacon, KEY, "asn", asn)


def test_a_limit_that_ends_is_used_up(counters: Counters) -> None:
    """The last step of 256 slots cannot be told from what comes after it: it is not granted in a
    second life."""
    last = ((1 << 40) - 1) & ~0xFF
    pib = Pib(E2015, True, asn=last, asn_slot=0, store=counters.store.address)
    clear = data(version=2, compression=False)
    assert begin(counters, 4, pib, restored=True).secure(clear.clear()).status == "WM_OK"
    after = begin(counters, 4, pib, restored=False)
    assert after.secure(clear.clear()).status == "WM_ERR_STORAGE"


def test_an_opening_in_between(counters: Counters) -> None:
    """A store that was opened anew while the node ran wants its PIB restored, too."""
    node = begin(counters, 4, stored(counters, E2015), restored=True)
    assert node.secure(data().clear()).status == "WM_OK"
    assert counters.open() == "WM_OK"
    assert node.secure(data().clear()).status == "WM_ERR_STORAGE"
    counters.target.call("wm_pib_restore", node.pib)
    assert counter_in(node.secure(data().clear()).octets) == 4


@pytest.mark.parametrize("block", [1, 4, 64])
@pytest.mark.parametrize("edition", [E2012E, E2015])
def test_a_second_pib_on_one_opening(counters: Counters, edition: int, block: int) -> None:
    """A PIB that is made anew while the store stays open, and was not restored, secures, accepts and
    joins in no slot of the first, in whatever step of the block. Restored, it goes on behind
    them."""
    clear = data(version=2, compression=False)
    pib = Pib(edition, True, asn=0, asn_slot=0, store=counters.store.address)
    node = begin(counters, block, pib, restored=True)
    slots = [ASN + 256 * n for n in range(6)]
    for asn in slots:
        assert node.set_asn(asn) == "WM_OK"
        assert node.secure(clear.clear()).status == "WM_OK"
    for asn in {slots[0], slots[-1]}:
        after = Node(counters.target, replace(pib, asn=asn))
        before = after.memory()
        received = model.secure(clear.with_ash(ash(5, None)), KEY, "asn", asn)
        assert after.secure(clear.clear()).status == "WM_ERR_STORAGE"
        assert after.unsecure(received).status == "WM_ERR_STORAGE"
        assert after.join(joining(asn)).status == "WM_ERR_STORAGE"
        assert after.memory() == before
    after = Node(counters.target, pib)
    counters.target.call("wm_pib_restore", after.pib)
    assert after.secure(clear.clear()).status == "WM_OK"
    assert after.set_asn(slots[-1]) == "WM_ERR_COUNTER"
