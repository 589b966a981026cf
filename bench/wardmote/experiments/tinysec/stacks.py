# SPDX-License-Identifier: BSD-3-Clause
"""What motes are run with: plain TinyOS, TinySec-Auth, TinySec-AE, the two of equal length, and AEADs
of today."""

from dataclasses import dataclass
from typing import NamedTuple

from wardmote.experiments.tinysec.network import AE, AUTH, PLAIN


class Stack(NamedTuple):
    """An image, how its packets are sent, and what is in them."""

    image: str
    mode: int
    data_octets: int
    overhead_octets: int
    """Of a packet, without start symbol and flush."""
    reference: str
    """The stack that it is compared with."""

    @property
    def packet_octets(self) -> int:
        """Octets on the air, without start symbol and flush."""
        return self.data_octets + self.overhead_octets


NONE, SKIPJACK = "tinysec-none", "tinysec-skipjack"
CCM, ASCON = "tinysec-ccm", "tinysec-ascon"
STACKS = {
    "none": Stack(NONE, PLAIN, 24, 7, "none"),
    "auth": Stack(SKIPJACK, AUTH, 24, 8, "none"),
    "ae": Stack(SKIPJACK, AE, 24, 12, "none"),
    "none-29": Stack(NONE, PLAIN, 29, 7, "ae"),
    "auth-28": Stack(SKIPJACK, AUTH, 28, 8, "ae"),
}
"""The last two have packets as long as AE's."""
TODAY = {
    "ccm": Stack(CCM, AE, 24, 12, "none"),
    "ascon": Stack(ASCON, AE, 24, 24, "none"),
}
"""An AEAD of today in TinySec's place."""
PAPERS = ("none", "auth", "ae")
PAPERS_BOARDS = ("mica2",)
TITLES = {
    "none": "TinyOS without TinySec",
    "auth": "TinySec-Auth",
    "ae": "TinySec-AE",
    "none-29": "TinyOS, as long as AE",
    "auth-28": "TinySec-Auth, as long as AE",
}


@dataclass(frozen=True, slots=True)
class NetworkCase:
    """A network with a stack, and the seed of all that is random in it."""

    board: str
    stack: str
    seed: int
