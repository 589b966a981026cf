# SPDX-License-Identifier: BSD-3-Clause
"""Each suite that a Linux of today and the stack both have: as SAs of the stack, and as lines for
`ip`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv6Address
from random import Random

from tests.model.ipsec_model import AHS, ENCRYPTION, ESPS, INTEGRITY, STUDY, Sa, Suite
from wardmote.border.router import HOSTS, MOTES, SHORT_IID

LINUX = HOSTS[1]
FIRST_SHORT = 0x00A1
IIV = "aes_ccm_8_iiv"
"""Linux 6.1 has no implicit IV."""
SUITES: tuple[tuple[Suite, ...], ...] = (
    *((suite,) for suite in (*AHS, *ESPS, *STUDY) if suite.encryption != IIV),
    (Suite("aes_ctr", "aes_xcbc_96"), Suite("", "aes_xcbc_96")),
)
"""Of each node, from the inmost on: every suite alone, and ESP in AH."""
SHORTEST_SPI = 1
"""What header compression leaves out."""
CODES = {
    "hmac_sha1_96": ("hmac(sha1)", 96),
    "hmac_sha256_128": ("hmac(sha256)", 128),
    "aes_xcbc_96": ("xcbc(aes)", 96),
    "aes_cmac_96": ("cmac(aes)", 96),
}
CIPHERS = {
    "null": "enc ecb(cipher_null)",
    "aes_cbc": "enc cbc(aes)",
    "aes_ctr": "enc rfc3686(ctr(aes))",
    "aes_ccm_8": "aead rfc4309(ccm(aes))",
    "aes_ccm_16": "aead rfc4309(ccm(aes))",
}


@dataclass(frozen=True)
class Party:
    """A mote and the SAs that it shares with Linux, from the inmost on."""

    number: int
    to_mote: tuple[Sa, ...]
    from_mote: tuple[Sa, ...]

    @property
    def short(self) -> int:
        """Its short address."""
        return FIRST_SHORT + self.number

    @property
    def address(self) -> IPv6Address:
        """Its address."""
        return MOTES[SHORT_IID | self.short]

    @property
    def secure(self) -> bool:
        """Whether every packet has an ICV."""
        return all(sa.suite.is_ah or sa.suite.secure for sa in self.to_mote)

    def __str__(self) -> str:
        return " in ".join(str(sa.suite) for sa in self.to_mote)

    def lines(self) -> Iterator[str]:
        """What `ip` is told."""
        for one, other, way, sas in (
            (LINUX, self.address, "out", self.to_mote),
            (self.address, LINUX, "in", self.from_mote),
        ):
            ends = f"src {one} dst {other}"
            templates = ""
            for place, sa in enumerate(sas):
                protocol = "ah" if sa.suite.is_ah else "esp"
                tied = f"proto {protocol} mode transport reqid {16 * self.number + place + 1}"
                yield f"xfrm state add {ends} spi {sa.spi:#x} {tied} replay-window 32 {keys(sa)}"
                templates += f" tmpl {ends} {tied} level required"
            yield f"xfrm policy add {ends} dir {way}{templates}"


def keys(sa: Sa) -> str:
    """Algorithms and keys of a SA for `ip`."""
    words = []
    if sa.suite.encryption:
        made = ENCRYPTION[sa.suite.encryption]
        octets = (sa.key + sa.salt[: made.salt_octets]).hex()
        words.append(f"{CIPHERS[sa.suite.encryption]} " + (f"0x{octets}" if octets else "''"))
        words += [str(8 * made.icv_octets)] if made.icv_octets else []
    if sa.suite.integrity:
        name, bits = CODES[sa.suite.integrity]
        words.append(f"auth-trunc {name} 0x{sa.integrity_key.hex()} {bits}")
    return " ".join(words)


def party(number: int, suites: tuple[Suite, ...]) -> Party:
    """The mote of these suites; its keys follow from its number."""
    random = Random(number)

    def made(place: int, suite: Suite, way: int) -> Sa:
        encryption = ENCRYPTION.get(suite.encryption)
        integrity = INTEGRITY.get(suite.integrity)
        short = suite == Suite("", "aes_xcbc_96") and number < len(SUITES) and len(suites) == 1
        return Sa(
            suite,
            SHORTEST_SPI if short else 0x1000 * way + 16 * number + place,
            random.randbytes(encryption.key_octets if encryption else 0),
            random.randbytes(4),
            random.randbytes(integrity.key_octets if integrity else 0),
        )

    first, second = (
        tuple(made(place, suite, way) for place, suite in enumerate(suites)) for way in (1, 2)
    )
    return Party(number, first, second)


PARTIES = tuple(party(number, suites) for number, suites in enumerate(SUITES))
OTHERS = tuple(party(number, suites) for number, suites in enumerate(SUITES, len(SUITES)))
"""Other motes of the same suites, with keys of their own."""
