# SPDX-License-Identifier: BSD-3-Clause
"""From one network key to the next, on every CPU: which frames are taken before and after the
switch, and what counters do."""

from __future__ import annotations

from tests.model.zigbee_model import Aux, KeyId, NwkFrame
from tests.stack.link.linklib import name_of
from tests.stack.zigbee.zigbeelib import HEADERS, Node, Sender
from vectors.generate_zigbee import KEY, OWN, PEER
from vectors.inputs import octets
from wardmote.call import Target

__all__ = ["HEADERS"]

NEXT = octets("next network key", 16)
OLD, NEW = 255, 0
"""Numbers go round."""
CLEAR = NwkFrame(payload=b"on").clear()


def frame_of(counter: int, sequence: int = OLD, source: bytes = PEER) -> bytes:
    """A frame under the key of that number."""
    aux = Aux(KeyId.NETWORK, counter, source, sequence)
    return NwkFrame(payload=b"on").secured(KEY if sequence == OLD else NEXT, aux)


def add(node: Node, sequence: int = NEW) -> str:
    """The next key comes."""
    node.second = node.cipher(NEXT)
    added = node.target.call("wm_zigbee_nwk_add_key", node.node, node.second, sequence)
    return name_of(added.value)


def switch(node: Node, sequence: int = NEW) -> str:
    """The network goes over to it."""
    return name_of(node.target.call("wm_zigbee_nwk_switch", node.node, sequence).value)


def test_a_roll_over(target: Target) -> None:
    """Both keys are taken until the switch; then the old one is not, and the node's counter goes
    on."""
    node = Node(target, KEY, OLD, OWN)
    assert node.unsecure(frame_of(10))[0] == "WM_OK"
    assert node.unsecure(frame_of(0, NEW))[0] == "WM_ERR_UNAVAILABLE_KEY"
    assert switch(node) == "WM_ERR_UNAVAILABLE_KEY"
    assert add(node) == "WM_OK"
    assert node.unsecure(frame_of(11))[0] == "WM_OK"
    assert node.secure(CLEAR)[1][21] == OLD, "the active key secures"
    other = PEER[:7] + b"\1"
    status, _, told = node.unsecure(frame_of(0, NEW, other))
    assert (status, bool(told["newer"])) == ("WM_OK", True)
    assert switch(node) == "WM_OK"
    assert switch(node) == "WM_OK", "it may come twice"
    status, frame = node.secure(CLEAR)
    assert (status, frame[21], int.from_bytes(frame[9:13], "little")) == ("WM_OK", NEW, 1)
    assert node.unsecure(frame_of(12))[0] == "WM_ERR_UNAVAILABLE_KEY"
    assert node.unsecure(frame_of(0, NEW, other))[0] == "WM_ERR_COUNTER"
    assert node.unsecure(frame_of(0, NEW))[0] == "WM_OK", "a sender may begin anew under a new key"
    assert node.unsecure(frame_of(0, NEW))[0] == "WM_ERR_COUNTER"


def test_keys_that_are_no_next_ones(target: Target) -> None:
    """A number that is not newer, a key that was not made, a node that has none."""
    node = Node(target, KEY, 7, OWN)
    before = node.look()
    for sequence in (7, 6, 0, 135, 200):
        assert add(node, sequence) == "WM_ERR_PARAM"
    blank = target.buffer(target.pack("wm_aes128_tab_key"))
    assert target.call("wm_zigbee_nwk_add_key", node.node, blank, 8).value == -11
    assert node.look() == before
    assert add(node, 8) == "WM_OK"
    assert switch(node, 9) == "WM_ERR_UNAVAILABLE_KEY"
    assert add(node, 134) == "WM_OK"
    assert switch(node, 8) == "WM_ERR_UNAVAILABLE_KEY", "the later one took its place"
    node = Node(target, KEY, 7, OWN, {"counter": 0})
    assert add(node, 8) == "WM_ERR_UNAVAILABLE_KEY"
    assert switch(node, 0) == "WM_ERR_UNAVAILABLE_KEY"


def test_counters_of_senders_over_a_switch_and_a_reset(target: Target) -> None:
    """A sender that begins anew under the new key is heard after a reset too, and what it sent
    before the switch is not taken twice."""
    early, late = PEER, PEER[:7] + b"\1"
    node = Node(target, KEY, OLD, OWN, known=[Sender(early, 1), Sender(late, 2)])
    for source in (early, late):
        assert node.unsecure(frame_of(1000, OLD, source))[0] == "WM_OK"
    assert add(node) == "WM_OK"
    assert node.unsecure(frame_of(5, NEW, early))[0] == "WM_OK"
    assert switch(node) == "WM_OK"
    assert node.start(NEW, node.second) == "WM_OK"
    assert node.unsecure(frame_of(5, NEW, early))[0] == "WM_ERR_COUNTER"
    assert node.unsecure(frame_of(50, NEW, early))[0] == "WM_OK"
    assert node.unsecure(frame_of(0, NEW, late))[0] == "WM_OK"
    assert node.unsecure(frame_of(2000, OLD, late))[0] == "WM_ERR_UNAVAILABLE_KEY"


def test_a_reset_between_number_and_switch(target: Target) -> None:
    """A caller that stored the newer key's number loses power before the switch: what a sender that
    goes on with its counter sent under that key is not taken once more."""
    node = Node(target, KEY, OLD, OWN, known=[Sender(PEER, 1)])
    assert node.unsecure(frame_of(1000))[0] == "WM_OK"
    assert add(node) == "WM_OK"
    assert node.unsecure(frame_of(5000, NEW))[0] == "WM_OK"
    assert node.start(NEW, node.second) == "WM_OK"
    assert node.unsecure(frame_of(5000, NEW))[0] == "WM_ERR_COUNTER"
    assert node.unsecure(frame_of(5100, NEW))[0] == "WM_OK"


def test_power_cuts_within_a_switch(target: Target) -> None:
    """Wherever in the switch power is cut, what a sender that goes on with its counter sent under
    the new key is not taken once more."""
    others = [Sender(PEER[:7] + bytes([slot]), slot) for slot in (1, 3)]
    for fuse in range(1, 40):
        node = Node(target, KEY, OLD, OWN, known=[others[0], Sender(PEER, 2), others[1]])
        for sender in node.known:
            assert node.unsecure(frame_of(1000, OLD, sender.address))[0] == "WM_OK"
        assert add(node) == "WM_OK"
        assert node.unsecure(frame_of(1003, NEW))[0] == "WM_OK"
        medium = target.unpack("counter_double", bytearray(node.medium.read()))
        broken = medium | {"fuse": fuse, "operations": 0, "seed": fuse}
        node.medium.write(bytes(target.pack("counter_double", **broken)))
        whole = switch(node) == "WM_OK"
        medium = target.unpack("counter_double", bytearray(node.medium.read()))
        healed = medium | {"fuse": 0, "off": False}
        node.medium.write(bytes(target.pack("counter_double", **healed)))
        assert node.start(NEW, node.second) == "WM_OK"
        assert node.unsecure(frame_of(1003, NEW))[0] == "WM_ERR_COUNTER", fuse
        assert node.unsecure(frame_of(1100, NEW))[0] == "WM_OK"
        if whole:
            assert fuse > 1, "the switch writes"
            return
    raise AssertionError


def test_a_sender_that_was_silent_over_many_keys(target: Target) -> None:
    """Numbers of keys go round: who was silent while more than half of them passed is no sender of
    an older key, and its frames are still taken once."""
    node = Node(target, KEY, OLD, OWN)
    assert node.unsecure(frame_of(10))[0] == "WM_OK"
    for sequence in (100, 200):
        assert add(node, sequence) == "WM_OK"
        assert switch(node, sequence) == "WM_OK"
    assert node.unsecure(frame_of(3, 200))[0] == "WM_OK"
    assert node.unsecure(frame_of(3, 200))[0] == "WM_ERR_COUNTER"
