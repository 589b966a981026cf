# SPDX-License-Identifier: BSD-3-Clause
"""The frames that tshark and the model read, once more by way of the outgoing and incoming security
procedures.

Those find key, sender, level and counter in tables, and refuse a frame that comes again or changed.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from tests.interop.frame_cases import Case, cases
from tests.interop.frame_procedures import Procedures, on_air
from tests.interop.frame_stack import LEVEL_ENC
from tests.interop.test_frames_peers import behind_ash, damaged, flipped, parts
from tests.model.ieee802154_model import COMMAND
from tests.stack.link.linklib import admitted

pytestmark = pytest.mark.xdist_group("frames")

ON_TARGET = 100


@cache
def frames() -> tuple[tuple[Case, bytes], ...]:
    """Every secured case with its frame on the air, in the order of their counters, as one sender's
    frames come."""
    secured = [case for case in cases() if case.secured]
    return tuple((case, on_air(case)) for case in sorted(secured, key=counter))


def counter(case: Case) -> int:
    """Its frame counter, 0 where the ASN takes its place."""
    return (case.frame.ash.counter if case.frame.ash else 0) or 0


def payload_at(case: Case) -> int:
    """Where the payload begins; that of a command with its identifier."""
    frame = case.frame
    return len(frame.mhr()) + len(frame.open_part) + case.payload_at - (frame.type == COMMAND)


def test_outgoing_procedure_makes_the_same_frames() -> None:
    """Key, counter and ASH come from tables and parameters: the frame is, octet for octet, the one
    of the model."""
    node = Procedures("host")
    assert node.node.check() == "WM_OK"
    for case, octets in frames()[::2]:
        made = node.secure(case)
        assert (made.status, made.octets) == ("WM_OK", octets), case


def test_incoming_procedure_opens_each_once() -> None:
    """Each frame opens to what was sent. Changed by one bit beforehand it is refused and no counter
    moves; sent again it is refused by its counter."""
    node, source = Procedures("host"), random.Random(4)
    for case, octets in frames()[1::4]:
        where = parts(case, octets)
        node.prepare(case)
        before = node.node.memory()[1:]
        if "MIC" in where:
            start, end = where["MIC"]
            changed = node.unsecure(case, flipped(octets, source.randrange(8 * start, 8 * end)))
            assert changed.status == "WM_ERR_SECURITY", case
            assert node.node.memory()[1:] == before
        opened = node.unsecure(case, octets)
        assert (opened.status, opened.octets) == (
            admitted(case.shape.level),
            case.frame.clear(),
        ), case
        assert opened.result["payload"] == payload_at(case), case
        if case.shape.form == "counter":
            assert node.unsecure(case, octets).status == "WM_ERR_COUNTER", case


def test_damaged_frames_move_nothing_and_leave_nothing() -> None:
    """Cut, changed in several places, or random: no such frame is accepted where there is a MIC, no
    counter moves for one that is refused, and what is left of one that was decrypted ends with its
    ASH."""
    node, source = Procedures("host"), random.Random(6)
    counters, met = node.counters(), Counter[str]()
    for case, octets in frames()[::3]:
        changed = damaged(source, octets)
        if changed == octets:
            continue
        node.prepare(case)
        before = node.node.memory()[1:]
        answer = node.unsecure(case, changed)
        assert answer.status != "WM_OK"
        if answer.status == "WM_NOT_AUTHENTICATED":
            ash = answer.result["mhr"]["ash"]
            assert (answer.result["level"], ash["level"]) == (LEVEL_ENC, LEVEL_ENC), (
                case,
                changed.hex(),
            )
            node.set_counters(counters)
        assert node.node.memory()[1:] == before
        if answer.status.startswith("WM_ERR") and answer.octets != changed:
            kept = behind_ash(changed)
            assert answer.octets == changed[:kept] + bytes(len(changed) - kept)
        met[answer.status] += 1
    assert sum(met.values()) > 1000
    assert len(met) > 6


@pytest.mark.parametrize("name", ["msp430", "armv7m"])
def test_sample_on_target(name: str) -> None:
    """On an emulated CPU the procedures make and open the same frames."""
    sender = Procedures(name)
    sample = frames()[:: len(frames()) // ON_TARGET]
    for case, octets in sample:
        made = sender.secure(case)
        assert (made.status, made.octets) == ("WM_OK", octets), case
    receiver = Procedures(name)
    for case, octets in sample:
        opened = receiver.unsecure(case, octets)
        assert (opened.status, opened.octets) == (
            admitted(case.shape.level),
            case.frame.clear(),
        ), case
