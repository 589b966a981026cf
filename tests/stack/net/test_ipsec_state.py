# SPDX-License-Identifier: BSD-3-Clause
"""IPsec between packets: the window, sequence numbers over resets and up to their end, new keys."""

from __future__ import annotations

import random

import pytest

from tests.model.ipsec_model import Sa, Suite, secured
from tests.stack.calls import ERR_PARAM
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import BLOCK, IN, OUT, PROTECT, Node, node
from vectors.generate_ipsec import OURS, clear, sa_of
from wardmote.call import Target

HEADERS = ipseclib.HEADERS
AH, CCM = Suite("", "aes_xcbc_96"), Suite("aes_ccm_8")
CTR = Suite("aes_ctr", "aes_xcbc_96")
LAST = 0xFFFFFFFF
PACKET = clear(9)
TO_PEER = {"remote": OURS, "prefix": 128, "action": PROTECT}
"""The vectors' packets go from the peer to us: here we are the peer."""


def sender(few: Target, *sas: Sa, **members: int) -> Node:
    """A node that sends."""
    policy = TO_PEER | {"ah" if sa.suite.is_ah else "esp": ipseclib.GROUP for sa in sas}
    return Node(few, [(OUT, sa) for sa in sas], members, [policy])


@pytest.mark.parametrize("suite", [AH, CTR, CCM], ids=str)
def test_window(few: Target, suite: Suite) -> None:
    """The same answers as a list of all that has come, in random order around the window's edges,
    and a forged packet moves nothing."""
    source, sa = random.Random(str(suite)), sa_of(suite, 1)
    receiver, came, highest = node(few, IN, [sa]), {0}, 0
    steps = (1, 1, 2, -1, -2, -31, -32, -33, -62, -63, -64, -65, 3, 40, 64, 65, 0)
    rounds = 40 if few.name.startswith("host") else 14
    for _ in range(rounds):
        sequence = max(0, highest + source.choice(steps))
        packet = secured((sa,), PACKET, sequence)
        new = sequence not in came and sequence > highest - 64
        forged = packet[:-1] + bytes([packet[-1] ^ 1])
        status = receiver.unsecure(forged)[0]
        assert status == ("WM_ERR_SECURITY" if new else "WM_ERR_COUNTER")
        assert receiver.sa(IN)["sequence"] == highest
        assert receiver.unsecure(packet)[0] == ("WM_OK" if new else "WM_ERR_COUNTER"), sequence
        came.add(sequence)
        highest = max(highest, sequence)


def test_nothing_comes_twice_over_a_reset(few: Target) -> None:
    """What came before the power was away does not come again, and what the store may have
    skipped is less than a block."""
    sa = sa_of(AH, 1)
    receiver = node(few, IN, [sa])
    packets = {n: secured((sa,), PACKET, n) for n in (1, 2, 5, 2 * BLOCK + 1, 4 * BLOCK)}
    for n in (1, 5):
        assert receiver.unsecure(packets[n])[0] == "WM_OK"
    receiver.reset()
    for n in (1, 2, 5):
        assert receiver.unsecure(packets[n])[0] == "WM_ERR_COUNTER"
    assert receiver.unsecure(packets[2 * BLOCK + 1])[0] == "WM_OK"
    receiver.open_store()
    assert receiver.unsecure(packets[4 * BLOCK])[0] == "WM_ERR_STATE", "it did not start again"


def test_no_sequence_number_twice_over_resets(few: Target) -> None:
    """So CTR and CCM never have one counter block twice."""
    sa = sa_of(CCM, 1)
    made, seen = sender(few, sa), []
    for _ in range(3):
        for _ in range(BLOCK + 2):
            status, packet = made.secure(PACKET)
            assert status == "WM_OK"
            seen.append(int.from_bytes(packet[44:48], "big"))
        made.reset()
    assert seen[0] == 1
    assert seen == sorted(set(seen))
    assert made.secure(PACKET)[0] == "WM_OK"
    made.open_store()
    assert made.secure(PACKET) == ("WM_ERR_STATE", PACKET), "it did not start again"


@pytest.mark.parametrize("suite", [AH, CCM], ids=str)
def test_the_last_sequence_number(few: Target, suite: Suite) -> None:
    """After 2^32 - 1 nothing is sent, also after a reset; with new keys it is, from 1 on."""
    sa, other = sa_of(suite, 1), sa_of(suite, 2, "other")
    made = sender(few, sa)
    made.go_on_from(OUT, 0, LAST - 1)
    assert made.secure(PACKET) == ("WM_OK", secured((sa,), PACKET, LAST))
    asked = few.buffer(few.pack("wm_aes128_tab_key"))
    members = few.unpack("wm_ipsec", made.ipsec.read())
    function = few.address_of("wm_aes128_tab_init") | int(few.name == "armv7m")  # Thumb
    called = {"wants_keys": function, "context": asked.address}
    made.ipsec.write(bytes(few.pack("wm_ipsec", **(members | called))))
    for _ in range(2):
        assert made.secure(PACKET) == ("WM_ERR_COUNTER", PACKET)
        assert any(asked.read()), "a function was called that writes into its context"
        asked.write(bytes(len(asked.read())))
        made.reset()
    table = made.tables[OUT].address
    given = made.packed(other, 3, group=99)
    assert few.call("wm_ipsec_change_keys", made.ipsec, table, given).value == 0
    assert made.secure(PACKET) == ("WM_OK", secured((other,), PACKET, 1))
    assert made.sa(OUT)["group"] == ipseclib.GROUP
    assert made.sa(OUT)["counter"] == made.counters[0].address


def test_a_second_sa_goes_on(few: Target) -> None:
    """The next of a group takes over where one has no sequence number left."""
    first, second = sa_of(CCM, 1), sa_of(CCM, 2, "other")
    made = sender(few, first, second)
    made.go_on_from(OUT, 0, LAST)
    assert made.secure(PACKET) == ("WM_OK", secured((second,), PACKET, 1))
    made.go_on_from(OUT, 1, LAST)
    assert made.secure(PACKET)[0] == "WM_ERR_COUNTER"


def test_the_last_that_comes(few: Target) -> None:
    """2^32 - 1 is taken, those behind it still are, and none after it."""
    sa = sa_of(CTR, 1)
    receiver = node(few, IN, [sa])
    for n, status in (
        (LAST, "WM_OK"),
        (LAST, "WM_ERR_COUNTER"),
        (LAST - 63, "WM_OK"),
        (LAST - 64, "WM_ERR_COUNTER"),
        (1, "WM_ERR_COUNTER"),
    ):
        assert receiver.unsecure(secured((sa,), PACKET, n))[0] == status
    receiver.reset()
    assert receiver.unsecure(secured((sa,), PACKET, LAST - 1))[0] == "WM_ERR_COUNTER"


@pytest.mark.parametrize("suite", [AH, CCM, CTR], ids=str)
def test_old_keys_are_no_new_ones(few: Target, suite: Suite) -> None:
    """A SA that gets its own keys again would use sequence numbers, and so IVs, twice, and take what
    came before: it is refused, and the SA goes on. With what tells its packets from those before, the
    same place of a key may be taken."""
    sa, change = sa_of(suite, 1), "wm_ipsec_change_keys"
    made = sender(few, sa)
    assert made.secure(PACKET) == ("WM_OK", secured((sa,), PACKET, 1))
    own = few.unpack("wm_ipsec_sa", made.tables[OUT].read())
    table = made.tables[OUT].address
    for to in (table, bytes(few.pack("wm_ipsec_sa", **own))):
        assert few.call(change, made.ipsec, table, to).value == ERR_PARAM
        assert made.secure(PACKET)[0] == "WM_OK"
    assert made.sa(OUT)["sequence"] == 3
    other = {"spi": 9} if suite.is_ah else {"spi": 9, "salt": b"new" + sa.salt[3:]}
    given = bytes(few.pack("wm_ipsec_sa", **(own | other)))
    assert few.call(change, made.ipsec, table, given).value == 0
    receiver = node(few, IN, [sa])
    assert receiver.unsecure(secured((sa,), PACKET, 5))[0] == "WM_OK"
    table = receiver.tables[IN].address
    assert few.call(change, receiver.ipsec, table, table).value == ERR_PARAM
    assert receiver.unsecure(secured((sa,), PACKET, 5))[0] == "WM_ERR_COUNTER"


def test_new_keys_for_what_is_received(few: Target) -> None:
    """The old keys count no more, and sequence numbers begin anew."""
    sa = sa_of(CCM, 1)
    receiver = node(few, IN, [sa])
    assert receiver.unsecure(secured((sa,), PACKET, 5))[0] == "WM_OK"
    table, change = receiver.tables[IN].address, "wm_ipsec_change_keys"
    assert few.call(change, receiver.ipsec, table + 1, receiver.packed(sa, 0)).value == ERR_PARAM
    assert few.call(change, receiver.ipsec, table, bytes(len(few.pack("wm_ipsec_sa")))).value
    again = sa_of(CCM, 3, "again")
    assert few.call(change, receiver.ipsec, table, receiver.packed(again, 0)).value == 0
    assert receiver.unsecure(secured((sa,), PACKET, 6))[0] == "WM_ERR_UNAVAILABLE_KEY"
    assert receiver.unsecure(secured((again,), PACKET, 1)) == ("WM_OK", PACKET)


@pytest.mark.parametrize("direction", [IN, OUT])
def test_a_store_that_fails(few: Target, direction: int) -> None:
    """Nothing is sent and nothing is released."""
    sa = sa_of(CCM, 1)
    made = node(few, IN, [sa]) if direction == IN else sender(few, sa)
    members = few.unpack("counter_double", bytearray(made.medium.read()))
    made.medium.write(bytes(few.pack("counter_double", **(members | {"off": 1}))))
    if direction == IN:
        assert made.unsecure(secured((sa,), PACKET, 1))[0] == "WM_ERR_STORAGE"
    else:
        assert made.secure(PACKET) == ("WM_ERR_STORAGE", PACKET)
