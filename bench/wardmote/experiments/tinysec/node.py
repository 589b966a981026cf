# SPDX-License-Identifier: BSD-3-Clause
"""One node's TinySec in the memory of an emulated CPU, called function by function.

Its store is never asked: each AE packet is made with an IV that was taken out before, as image
`tinysec` does while the channel is not ours yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from wardmote.call import Buffer, EmulatedTarget
from wardmote.errors import ImageError
from wardmote.linked import Form, linked
from wardmote.paths import ROOT
from wardmote.prototypes import read_public

AUTH, AE, PLAIN, STANDARD = range(4)
LINK, GROUP = range(2)
KEYINGS = ("wm_tinysec_link", "wm_tinysec_group")
PROFILES = {"paper": 0, "shipped": 1}
PACKET_MOST, DATA_MOST, BLOCK = 41, 29, 8
KEY_OCTETS = 8
BROADCAST = 0xFFFF
OK, NOT_SECURED = "WM_OK", "WM_NOT_SECURED"
FUNCTIONS = (
    *("wm_tinysec_start", "wm_tinysec_secure", "wm_tinysec_receive", "wm_tinysec_take"),
    *("wm_tinysec_accept_packet", "wm_cbc_encrypt", "wm_rc5_init_both", "wm_rc5_expand"),
    *("wm_skipjack_init_both", "wm_skipjack_small_init_both", "wm_skipjack_expand"),
    *("wm_rc5_encrypt", "wm_skipjack_encrypt", "wm_skipjack_small_encrypt"),
    *KEYINGS,
    *("wm_aes128_tab_init", "wm_ccm_seal", "wm_ccm_open"),
    *("wm_ascon_aead128_seal", "wm_ascon_aead128_open"),
)


@cache
def target_of(cpu: str, form: Form = "fast") -> EmulatedTarget:
    """The CPU with all that is called; its memory is whoever's that resets it last."""
    return EmulatedTarget(linked(cpu, FUNCTIONS, form), read_public(ROOT))


def status_of(target: EmulatedTarget, value: int) -> str:
    """The name of a status; raises ImageError for a number that is none."""
    for name, number in target.prototypes.constants.items():
        if number == value and (name in (OK, NOT_SECURED) or name.startswith("WM_ERR_")):
            return name
    raise ImageError(f"{value} is no status")


def padded(cipher: str, octets: bytes) -> bytes:
    """A key of TinySec as the cipher takes it: Skipjack's has two zeros behind."""
    return octets + bytes(2) if cipher.startswith("skipjack") else octets


def key_of(target: EmulatedTarget, octets: bytes, cipher: str = "skipjack") -> Buffer:
    """A key for both directions, made."""
    key = target.buffer(target.pack(f"wm_{cipher}_key"))
    given = padded(cipher, octets)
    target.call(f"wm_{cipher}_init_both", key, given, *([len(given)] if cipher == "rc5" else []))
    return key


@dataclass
class Party:
    """A node. Reset the target before the first one."""

    target: EmulatedTarget
    key: bytes
    """Of the network: 8 octets for encryption, 8 for the tag."""
    address: int = 2
    mode: int = AUTH
    cipher: str = "skipjack"
    pairs: Sequence[tuple[int, bytes]] = ()
    """Peer and key of each pair of the keyring; none: the network's key."""
    keying: int = LINK
    members: Mapping[str, Any] = field(default_factory=dict)
    """Of wm_tinysec, beside those."""

    def __post_init__(self) -> None:
        """Makes keys and node."""
        pack, buffer = self.target.pack, self.target.buffer
        one, other = self._keys(self.key)
        ring = 0
        if self.pairs:
            table = b"".join(self._pair(peer, key) for peer, key in self.pairs)
            count = len(self.pairs)
            keyring = {"keys": buffer(table).address, "count": count}
            how = self.target.address_of(KEYINGS[self.keying])
            ring = buffer(pack("wm_tinysec_keyring", keying=how, **keyring)).address
        at = {"encryption": one.address, "mac": other.address, "keyring": ring}
        own = {"address": self.address, "send": self.mode, "prepared": True, "counter": 1}
        self.node = buffer(pack("wm_tinysec", **(at | own | dict(self.members))))

    def _keys(self, key: bytes) -> list[Buffer]:
        halves = (key[:KEY_OCTETS], key[KEY_OCTETS:])
        return [key_of(self.target, octets, self.cipher) for octets in halves]

    def _pair(self, peer: int, key: bytes) -> bytes:
        one, other = self._keys(key)
        at = {"peer": peer, "encryption": one.address, "mac": other.address}
        return bytes(self.target.pack("wm_tinysec_keys", **at))

    def make(self, data: bytes, dst: int = 2, kind: int = 1) -> tuple[str, bytes, int]:
        """Status, packet and cycles of a message that is sent."""
        octets = data.ljust(DATA_MOST, b"\0")
        message = self.target.pack(
            "wm_tinysec_message", dst=dst, type=kind, len=len(data), data=octets
        )
        packet, length = bytearray(PACKET_MOST), bytearray(1)
        done = self.target.call(
            "wm_tinysec_secure", self.node, message, packet, PACKET_MOST, length
        )
        status = status_of(self.target, done.value)
        return status, bytes(packet[: length[0]]), done.cycles or 0

    def take(self, packet: bytes, piece: int) -> tuple[str, list[int], dict[str, Any]]:
        """Status, cycles of each call for pieces of that many octets and of the end, and the
        message."""
        target = self.target
        state = target.buffer(target.pack("wm_tinysec_receiver"))
        target.call("wm_tinysec_receive", state, self.node)
        cycles = []
        for at in range(0, len(packet), piece):
            part = packet[at : at + piece]
            cycles.append(target.call("wm_tinysec_take", state, part, len(part)).cycles or 0)
        message = target.pack("wm_tinysec_message")
        done = target.call("wm_tinysec_accept_packet", self.node, state, message)
        unpacked = target.unpack("wm_tinysec_message", message)
        return status_of(target, done.value), [*cycles, done.cycles or 0], unpacked
