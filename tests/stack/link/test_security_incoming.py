# SPDX-License-Identifier: BSD-3-Clause
"""The incoming procedure: every status by its row. A refused frame leaves no plaintext and changes
nothing."""

import itertools
from dataclasses import replace

import pytest

from tests.model.ieee802154_model import Frame
from tests.stack.link import refused
from tests.stack.link.editions import EDITIONS, USED_UP
from tests.stack.link.frames import air, ash
from tests.stack.link.incoming_refusals import TABLES, V1
from tests.stack.link.linklib import as_built
from tests.stack.link.peers import KEY, OTHER_KEY, THIRD
from tests.stack.link.pib import Device, Key, Level, Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Target

ALL = tuple(itertools.chain(*TABLES.values()))


@pytest.mark.parametrize("table", TABLES)
def test_refusals(target: Target, table: str) -> None:
    """Every row refuses with its status and moves nothing of the PIB; the frame is as it came, or
    zeros behind its ASH, and then nothing is said of what was decrypted."""
    for case in TABLES[table]:
        target.reset()
        node = case.node(target)
        before = node.memory()
        outcome = node.unsecure(case.frame)
        kept = len(case.frame) if case.behind is None else case.behind
        assert as_built(target, outcome.status, case.status), case.name
        if outcome.status != case.status:
            continue
        assert outcome.octets == case.frame[:kept] + bytes(len(case.frame) - kept), case.name
        assert node.memory() == before, case.name
        if case.behind is not None and case.status != refused.SECURITY:
            said = outcome.result
            assert (said["command_id"], said["payload"]) == (0, 0), case.name


def test_every_status_is_refused_for() -> None:
    """The rows have each status that the header lists."""
    assert {case.status for case in ALL} == refused.OF_INCOMING


def faults(edition: int) -> list[tuple[str, Pib, Frame, bytes]]:
    """One fault of each row, in the order of the rows: a change of the PIB, of the frame, and the
    key it is under."""
    plain = Pib(edition)
    return [
        (refused.LEGACY, plain, replace(V1, version=0), KEY),
        (refused.UNSUPPORTED, replace(plain, enabled=False), V1, KEY),
        (refused.NO_KEY, plain, replace(V1, ash=replace(ash(), key_index=2)), KEY),
        (refused.NO_DEVICE, replace(plain, devices=(Device(THIRD, b"\0\x03"),)), V1, KEY),
        (refused.NO_LEVEL, replace(plain, levels=()), V1, KEY),
        (
            refused.BAD_LEVEL,
            replace(plain, levels=(Level(minimum=6, allowed=(6,)),)),
            V1,
            KEY,
        ),
        (refused.COUNTER, plain, replace(V1, ash=replace(ash(), counter=USED_UP)), KEY),
        (refused.KEY_TYPE, replace(plain, keys=(Key(usage=()),)), V1, KEY),
        (refused.SECURITY, plain, V1, OTHER_KEY),
    ]


def both(edition: int, first: int, second: int) -> tuple[Pib, bytes]:
    """A PIB and a frame with two faults: what either changes, the later one where both change the
    same."""
    plain, pib, frame = Pib(edition), Pib(edition), V1
    header, key = ash(), KEY
    for _, changed, other, under in (faults(edition)[second], faults(edition)[first]):
        for name in ("enabled", "keys", "devices", "levels"):
            if getattr(changed, name) != getattr(plain, name):
                pib = replace(pib, **{name: getattr(changed, name)})
        frame = replace(frame, version=min(frame.version, other.version))
        assert other.ash is not None
        for name in ("key_index", "counter"):
            if getattr(other.ash, name) != getattr(ash(), name):
                header = replace(header, **{name: getattr(other.ash, name)})
        key = OTHER_KEY if OTHER_KEY in (key, under) else KEY
    return pib, air(replace(frame, ash=header), key)


@pytest.mark.parametrize("edition", EDITIONS)
def test_order_of_the_rows(target: Target, edition: int) -> None:
    """A frame with two faults is refused for the one whose row comes first, so a status tells how
    far a frame came."""
    names = [fault[0] for fault in faults(edition)]
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            target.reset()
            pib, frame = both(edition, first, second)
            assert Node(target, pib).unsecure(frame).status == names[first], names[second]
