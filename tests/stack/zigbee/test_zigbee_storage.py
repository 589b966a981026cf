# SPDX-License-Identifier: BSD-3-Clause
"""ZigBee on a medium that has no power: a counter that cannot be stored is neither used nor taken,
and nothing is released."""

from __future__ import annotations

from typing import Any

from tests.model.zigbee_model import ApsFrame, Aux, KeyId, NwkFrame
from tests.stack.link.linklib import name_of
from tests.stack.zigbee import apslib, zigbeelib
from tests.stack.zigbee.test_zigbee_rollover import NEW, OLD, add, frame_of, switch
from vectors.generate_zigbee import KEY, OWN, PEER
from vectors.generate_zigbee_aps import LINK
from wardmote.call import Target

HEADERS = tuple(dict.fromkeys((*zigbeelib.HEADERS, *apslib.HEADERS)))


def power(node: Any, on: bool) -> None:
    """Switches the medium on or off."""
    medium = node.target.unpack("counter_double", bytearray(node.medium.read()))
    node.medium.write(bytes(node.target.pack("counter_double", **(medium | {"off": not on}))))


def test_nwk_without_a_store(target: Target) -> None:
    """Neither sent nor taken; the same frames pass when the power is back."""
    node = zigbeelib.Node(target, KEY, OLD, OWN, known=[zigbeelib.Sender(PEER, 1)])
    clear, frame = NwkFrame(payload=b"on").clear(), frame_of(100)
    before, table = node.look(), node.table.read()
    power(node, on=False)
    status, left = node.secure(clear)
    assert (status, left[: len(clear)]) == ("WM_ERR_STORAGE", clear)
    status, left, _ = node.unsecure(frame)
    assert (status, any(left[8:])) == ("WM_ERR_STORAGE", False)
    assert (node.look(), node.table.read()) == (before, table)
    power(node, on=True)
    assert node.start(OLD) == "WM_OK"
    assert node.secure(clear)[0] == "WM_OK"
    assert node.unsecure(frame)[0] == "WM_OK"


def test_a_switch_without_a_store(target: Target) -> None:
    """The new key is active all the same, and the old one is gone."""
    node = zigbeelib.Node(target, KEY, OLD, OWN, known=[zigbeelib.Sender(PEER, 1)])
    assert node.unsecure(frame_of(9))[0] == "WM_OK"
    assert add(node) == "WM_OK"
    power(node, on=False)
    assert switch(node) == "WM_ERR_STORAGE"
    power(node, on=True)
    assert node.unsecure(frame_of(10))[0] == "WM_ERR_UNAVAILABLE_KEY"
    assert switch(node, NEW) == "WM_OK"


def test_aps_without_a_store(target: Target) -> None:
    """Likewise; and a link whose counter cannot begin anew accepts nothing."""
    node = apslib.ApsNode(target, (apslib.Link(PEER, LINK, slot=1),), OWN)
    clear = ApsFrame(payload=b"on").clear()
    frame = ApsFrame(payload=b"on").secured(LINK, Aux(KeyId.DATA, 100, PEER))
    before, table = node.look(), node.table.read()
    power(node, on=False)
    status, left = node.secure(clear, PEER)
    assert (status, left[: len(clear)]) == ("WM_ERR_STORAGE", clear)
    status, left, _ = node.unsecure(frame)
    assert (status, any(left[8:])) == ("WM_ERR_STORAGE", False)
    assert (node.look(), node.table.read()) == (before, table)
    power(node, on=True)
    assert node.start() == "WM_OK"
    assert node.unsecure(frame)[0] == "WM_OK"
    power(node, on=False)
    renewed = target.call("wm_zigbee_link_renew", node.table).value
    assert name_of(renewed) == "WM_ERR_STORAGE"
    power(node, on=True)
    later = ApsFrame(payload=b"on").secured(LINK, Aux(KeyId.DATA, 0xFFFFFFFE, PEER))
    assert node.unsecure(later)[0] == "WM_ERR_COUNTER"
