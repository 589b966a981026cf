# SPDX-License-Identifier: BSD-3-Clause
"""A device has one entry in the device table for each PAN, and one counter."""

from dataclasses import replace

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.editions import E2006, E2011, E2015
from tests.stack.link.frames import ash, data
from tests.stack.link.linklib import Link
from tests.stack.link.peers import KEY, PEER, PEER_SHORT, THIRD
from tests.stack.link.pib import Device, Key, KeyDevice, Pib
from tests.stack.link.securitylib import Node

OTHER_PAN = 0x1234


def node(link: Link, second: bytes) -> Node:
    """Two devices under one key in 2011; the first has one frame left, the second all of them."""
    link.target.reset()
    devices = (Device(PEER, counter=0xFFFFFFFE), Device(second, short=b"\0\3"))
    return Node(
        link.target, Pib(E2011, keys=(Key(devices=(KeyDevice(0), KeyDevice(1))),), devices=devices)
    )


def test_one_address_in_two_descriptors_is_refused(link: Link) -> None:
    """Tables that name one extended address twice do not pass the check at start-up; with two
    addresses they do."""
    assert [node(link, second).check() for second in (PEER, THIRD)] == ["WM_ERR_PARAM", "WM_OK"]


def test_the_last_frame_of_a_device_comes_once(link: Link) -> None:
    """A device whose counter ended is blacklisted; no other entry lets its last frame in again."""
    receiver = node(link, THIRD)
    frame = model.secure(data(ash=ash(counter=0xFFFFFFFE)), KEY, src_ext=PEER)
    assert [receiver.unsecure(frame).status for _ in range(2)] == [
        "WM_OK",
        "WM_ERR_UNAVAILABLE_DEVICE",
    ]


@pytest.mark.parametrize("edition", [E2006, E2011, E2015])
def test_a_device_in_two_pans_has_one_counter(link: Link, edition: int) -> None:
    """Known by a short address in each of two PANs, and by its extended one: what came in one has
    come in all."""
    link.target.reset()
    devices = (Device(THIRD, b"\0\3"), Device(PEER), Device(PEER, pan=OTHER_PAN))
    under = (KeyDevice(0), KeyDevice(2), KeyDevice(1))
    receiver = Node(link.target, Pib(edition, keys=(Key(devices=under),), devices=devices))
    assert receiver.check() == "WM_OK"
    frame = data(ash=ash(), src=PEER_SHORT)
    other = replace(frame, dst_pan=OTHER_PAN, src_pan=OTHER_PAN)
    sent = [
        (frame, 7),
        (other, 7),
        (other, 8),
        (frame, 8),
        (replace(frame, src=PEER), 8),
        (replace(frame, src=PEER), 9),
    ]
    octets = [
        model.secure(replace(shape, ash=ash(counter=counter)), KEY, src_ext=PEER)
        for shape, counter in sent
    ]
    came = [receiver.unsecure(each).status == "WM_OK" for each in octets]
    assert came == [True, False, True, False, False, True]
