# SPDX-License-Identifier: BSD-3-Clause
"""The sending side of IPsec, which is assembly in the MSP430's small form, does what C does on the
host: one SA or two, room to the octet, sequence numbers that are used up, stores and ciphers that
fail at any moment."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from tests.model.ipsec_model import Sa, Suite
from tests.stack.conftest import target_named
from tests.stack.link.linklib import name_of
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import GROUP, OUT, PROTECT, Node
from vectors.generate_ipsec import OURS, clear, sa_of
from wardmote.call import Buffer

HEADERS = (*ipseclib.HEADERS, "engine_double")
NAMES = ("host", "msp430-small")
AH, CTR, NULL = (
    Suite("", "aes_xcbc_96"),
    Suite("aes_ctr", "aes_xcbc_96"),
    Suite("null", "aes_xcbc_96"),
)
CCM = Suite("aes_ccm_8")
LAST = 0xFFFFFFFF
BLOCKS = (*range(1, 13), 99)
"""Operations of a cipher that fail in turn, and one behind the last of a packet."""


@dataclass
class Case:
    """What is sent under what."""

    sas: tuple[Sa, ...]
    packet: bytes
    room: int
    used: tuple[int, ...] = ()
    """Sequence number that each SA sent last; of none, 0."""
    fails_at: int = 0
    store_is_off: bool = False


def sent(name: str, case: Case) -> tuple[Any, ...]:
    """What one target does: status, length, packet, for whom keys were asked, sequence numbers."""
    target = target_named(name, *HEADERS)
    policy = {"remote": OURS, "prefix": 128, "action": PROTECT}
    policy |= {"ah" if sa.suite.is_ah else "esp": GROUP for sa in case.sas}
    engine, sas = "engine", [(OUT, sa) for sa in case.sas]
    node = Node(target, sas, policies=[policy], cipher=engine, code_cipher=engine)
    assert node.started == "WM_OK"
    asked = target.buffer(target.pack("wm_aes128_small_key"))
    members = target.unpack("wm_ipsec", node.ipsec.read())
    members |= {"wants_keys": target.address_of("wm_aes128_small_init"), "context": asked.address}
    node.ipsec.write(bytes(target.pack("wm_ipsec", **members)))
    for at, sequence in enumerate(case.used):
        node.go_on_from(OUT, at, sequence)
    medium = target.unpack("counter_double", bytearray(node.medium.read()))
    medium["off"] = case.store_is_off
    node.medium.write(bytes(target.pack("counter_double", **medium)))
    target.call("engine_double_fail_at", case.fails_at)
    octets = bytearray(case.packet.ljust(min(case.room, len(case.packet) + 80), b"\xa5"))
    length = bytearray(node.number(len(case.packet)))
    status = target.call("wm_ipsec_secure", node.ipsec, octets, case.room, length).value
    sequences = [node.sa(OUT, at)["sequence"] for at in range(len(case.sas))]
    return name_of(status), node.number_of(length), bytes(octets), whose(node, asked), sequences


def whose(node: Node, asked: Buffer) -> int | None:
    """For which SA keys were asked: what was called took the first octets of it as a key."""
    table, size = node.tables[OUT].read(), len(node.target.pack("wm_ipsec_sa"))
    if not any(asked.read()):
        return None
    of = [node.key(table[at : at + 16], "small").read() for at in range(0, len(table), size)]
    return of.index(asked.read())


def same(case: Case) -> str:
    """The status, which is that of both, as everything else is."""
    answers = [sent(name, case) for name in NAMES]
    assert answers[0] == answers[1], case
    return str(answers[0][0])


def test_room_to_the_octet() -> None:
    """It fits, or not by an octet, under ESP, AH and AH around ESP."""
    ah, source = sa_of(AH, 1), Random(15)
    for esp, octets in product((CTR, NULL, CCM), (0, 1, 14)):
        packet, found = clear(octets), set[str]()
        around = (sa_of(esp, 2), ah) if source.random() < 0.8 else (sa_of(esp, 2),)
        full = sent("host", Case(around, packet, len(packet) + 80))[1]
        for room in (len(packet) - 1, len(packet), full - 1, full, full + 1, 0xFFFF):
            found.add(same(Case(around, packet, room)))
        assert found == {"WM_OK", "WM_ERR_FRAME_TOO_LONG"}


def test_sequence_numbers_that_are_used_up() -> None:
    """The first SA with one left sends, of ESP and of AH. Where none has, keys of the first are
    asked for, and a number that ESP used stays used."""
    sas = (sa_of(CTR, 1), sa_of(AH, 2), sa_of(CTR, 3, "other"), sa_of(AH, 4, "other"))
    found = set()
    for used in product((0, LAST - 1, LAST), (0, 0xFFFF, LAST), (LAST, 5), (LAST, LAST - 1)):
        over = {LAST} in (set(used[0::2]), set(used[1::2]))
        found.add((over, same(Case(sas, clear(9), 200, used))))
    assert found == {(False, "WM_OK"), (True, "WM_ERR_COUNTER")}


def test_what_fails_on_the_way() -> None:
    """A cipher at any operation of either SA, and a store that is off."""
    ah, found = sa_of(AH, 1), set()
    for esp, block in product((CTR, CCM), BLOCKS):
        found.add(same(Case((sa_of(esp, 2), ah), clear(20), 200, fails_at=block)))
    assert found == {"WM_OK", "WM_ERR_ENGINE"}
    for store_is_off in (False, True):
        found.add(same(Case((sa_of(NULL, 2), ah), clear(20), 200, store_is_off=store_is_off)))
    assert found == {"WM_OK", "WM_ERR_ENGINE", "WM_ERR_STORAGE"}


def test_more_blocks_than_an_octet_counts() -> None:
    """The counter of CTR has a second octet."""
    assert same(Case((sa_of(CTR, 2),), clear(4200), 4400)) == "WM_OK"
