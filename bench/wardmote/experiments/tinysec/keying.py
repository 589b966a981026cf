# SPDX-License-Identifier: BSD-3-Clause
"""Keys of the network, of links and of groups: what a neighbour takes in RAM, what a captured node
gives away, and who can take a broadcast or overhear. Each is tried with the stack on the mote's CPU.

Mote D has the neighbours A, B and C. With groups, A, B and D are one, C and D another. A is captured:
the attacker has its keys, and whatever address he likes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.tinysec.costs import KEY
from wardmote.experiments.tinysec.node import (
    AE,
    AUTH,
    BROADCAST,
    GROUP,
    LINK,
    OK,
    PACKET_MOST,
    Party,
    target_of,
)

D, A, B, C = 2, 7, 8, 9
NEIGHBOURS = (A, B, C)
MOTES = (D, *NEIGHBOURS)
DATA = b"twenty-three octets now"
STRANGER = b"a key of nobody!"
NETWORK, LINKS, GROUPS = "network", "link", "group"
KEYINGS = {NETWORK: LINK, LINKS: LINK, GROUPS: GROUP}
NOBODY = 0xFFFF
"""The source of a packet that does not tell it."""
MODES = {"auth": AUTH, "ae": AE}
TABLE = 25
"""Neighbours that the paper counts a table for."""
Pairs = Sequence[tuple[int, bytes]]


def link_key(one: int, other: int) -> bytes:
    """Of two neighbours."""
    return bytes((one * other + i) % 256 for i in range(16))


NEAR, FAR = bytes(range(100, 116)), bytes(range(200, 216))
"""Keys of the group of A, B and D, and of that of C and D."""
MEMBERS: Mapping[int, Pairs] = {
    D: ((0, NEAR), (0, FAR)),
    A: ((0, NEAR),),
    B: ((0, NEAR),),
    C: ((0, FAR),),
}


def pairs_of(keying: str, mote: int) -> Pairs:
    """The keyring of a mote; none where the network has one key."""
    if keying == NETWORK:
        return ()
    if keying == GROUPS:
        return MEMBERS[mote]
    peers = NEIGHBOURS if mote == D else (D,)
    return [(peer, link_key(mote, peer)) for peer in peers]


@dataclass(frozen=True, slots=True)
class KeyingRow:
    """What a way to key gives up and costs, in one mode."""

    board: str
    keying: str
    """network, link or group"""
    mode: str
    """auth or ae"""
    pairs: int
    """Pairs of keys that D keeps."""
    pair_octets: int
    """RAM of one more neighbour, or of one more group: its pair of keys and their entry."""
    ram_octets: int
    """RAM of all keys with 25 neighbours in one group, or one link each, and Skipjack."""
    read: int
    """Of what D's three neighbours send it, so many packets open under the captured keys of A."""
    reached: int
    """Of the three other motes, so many take a packet that is made with A's keys."""
    names: int
    """In the names of so many of its three neighbours D takes such packets. Auth has no source: what
    tells no name may be of any."""
    broadcast: int
    """A broadcast of D is taken by so many neighbours as one packet."""
    overheard: int
    """A packet to D is opened by so many of the two neighbours that did not send it."""
    strangers: int
    """Packets under keys of nobody that are taken, of one for each mote."""
    refusal_cycles: int
    """To refuse such a packet, behind its last octet, with D's keys."""
    more_cycles: int
    """More of that for each further pair of keys."""
    seed: int
    wardmote: str
    commit: str


def measure(case: BoardCase, _: Artefacts) -> Figures:
    """Each keying in each mode."""
    found = []
    for keying in KEYINGS:
        for mode in MODES.items():
            found.append(Trial(BOARDS[case.board].cpu, keying, mode).figures())
    return {"rows": found}


@dataclass(frozen=True, slots=True)
class Trial:
    """Four motes and an attacker under one keying."""

    cpu: str
    keying: str
    mode: tuple[str, int]

    def figures(self) -> Figures:
        """All that is tried."""
        few, many = (self.refusal(count) for count in (len(pairs_of(self.keying, D)) or 1, 8))
        pairs = len(pairs_of(self.keying, D)) or 1
        each = 0 if self.keying == NETWORK else (many - few) // (8 - pairs)
        return {
            "keying": self.keying,
            "mode": self.mode[0],
            "pairs": pairs,
            "pair_octets": self.pair_octets(),
            "ram_octets": self.ram_octets(TABLE if self.keying == LINKS else 1),
            "read": sum(self.opens(A, D, self.sent(mote, D)) for mote in NEIGHBOURS),
            "reached": sum(self.takes(mote, A) for mote in (B, C, D)),
            "names": sum(self.takes(D, name) for name in NEIGHBOURS),
            "broadcast": sum(
                self.opens(mote, mote, self.sent(D, BROADCAST)) for mote in NEIGHBOURS
            ),
            "overheard": sum(self.opens(mote, D, self.sent(A, D)) for mote in (B, C)),
            "strangers": sum(self.opens(mote, mote, self.strange(mote)) for mote in MOTES),
            "refusal_cycles": few,
            "more_cycles": each,
        }

    def party(self, keys_of: int, address: int, pairs: Pairs | None = None) -> Party:
        """A mote with the keys of one and the address of one."""
        target = target_of(self.cpu)
        target.reset()
        ring = pairs_of(self.keying, keys_of) if pairs is None else pairs
        key = KEY if self.keying == NETWORK else STRANGER
        return Party(target, key, address, self.mode[1], pairs=ring, keying=KEYINGS[self.keying])

    def sent(self, src: int, dst: int) -> bytes:
        """A packet; nothing if none can be made."""
        status, packet, _ = self.party(src, src).make(DATA, dst)
        return packet if status == OK else b""

    def strange(self, dst: int) -> bytes:
        """A packet under a key of nobody."""
        target = target_of(self.cpu)
        target.reset()
        return Party(target, bytes(reversed(STRANGER)), A, self.mode[1]).make(DATA, dst)[1]

    def opens(self, keys_of: int, address: int, packet: bytes) -> bool:
        """Whether whoever has these keys can take a packet, as if it was for him. Under keys of links
        he tries each as that of whomever the packet may be from."""
        rings: list[Pairs | None] = [None]
        if self.keying == LINKS and keys_of != address:
            keys = [key for _, key in pairs_of(self.keying, keys_of)]
            rings += [[(peer, key)] for peer in MOTES for key in keys]
        for ring in rings if packet else ():
            status, _, message = self.party(keys_of, address, ring).take(packet, PACKET_MOST)
            if status == OK and bytes(message["data"][: message["len"]]) == DATA:
                return True
        return False

    def takes(self, victim: int, name: int) -> bool:
        """Whether a mote takes a packet that is made with A's keys in the name of another."""
        own = pairs_of(self.keying, A)
        ring = [(victim, key) for _, key in own] if self.keying == LINKS else own
        status, packet, _ = self.party(A, name, ring).make(DATA, victim)
        if status != OK:
            return False
        status, _, message = self.party(victim, victim).take(packet, PACKET_MOST)
        return status == OK and message["src"] in (name, NOBODY)

    def refusal(self, pairs: int) -> int:
        """Cycles behind the last octet to refuse a packet of a stranger with so many pairs."""
        packet = self.strange(D)
        ring = [] if self.keying == NETWORK else [(A + n, link_key(D, A + n)) for n in range(pairs)]
        _, cycles, _ = self.party(D, D, ring).take(packet, 1)
        return sum(cycles[-2:])

    def pair_octets(self) -> int:
        """Two made keys, and where keys are many the entry that names them."""
        target = target_of(self.cpu)
        keys = 2 * target.layout("wm_skipjack_key").size
        return keys + (0 if self.keying == NETWORK else target.layout("wm_tinysec_keys").size)

    def ram_octets(self, pairs: int) -> int:
        """All pairs, and the keyring."""
        ring = target_of(self.cpu).layout("wm_tinysec_keyring").size
        return pairs * self.pair_octets() + (0 if self.keying == NETWORK else ring)
