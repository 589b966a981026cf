# SPDX-License-Identifier: BSD-3-Clause
"""One node's IPsec in the memory of an emulated CPU, called function by function.

Its store never writes: the sequence numbers of each packet were taken out of it before.
"""

from functools import cache
from typing import Any, NamedTuple

from wardmote.call import Buffer, EmulatedTarget, Outcome, Timing
from wardmote.cpus import CPUS
from wardmote.errors import ImageError
from wardmote.experiments.ipsec.suites import SUITES, Suite
from wardmote.linked import Form, linked
from wardmote.paths import ROOT
from wardmote.prototypes import read_public

OURS, PEERS = (bytes.fromhex(f"fe80000000000000000000fffe00000{number}") for number in (1, 2))
"""Link-local addresses, of the short addresses of frames: IPHC leaves both out."""
SHORT = {OURS: bytes.fromhex("0001"), PEERS: bytes.fromhex("0002")}
KEY, PAN = bytes(range(32)), 0xBEEF
SPI, GROUP, PROTECT, STUDY = 1, 7, 2, 1
"""SPI 1 is the paper's default, which compression leaves out."""
REQUEST, ANSWER = range(2)
"""Directions: each has SAs, and keys, of its own."""
UDP, HEADER, UDP_HEADER, PORTS = 17, 40, 8, (4000, 7)
HOPS = 64
SLOTS, BLOCK, WRITTEN_OCTETS = 2, 64, 16
"""Of the store, how many sequence numbers are taken out of it at once, and its marks."""
GROWTH = 96
"""Octets that a packet may grow by."""
ALGORITHMS = (
    *("hmac_sha1_96", "hmac_sha256_128", "aes_xcbc_96", "aes_cmac_96"),
    *("null", "aes_cbc", "aes_ctr", "aes_ccm_8", "aes_ccm_16", "aes_ccm_8_iiv"),
    *("ah", "esp"),
)
FUNCTIONS = (
    *(f"wm_ipsec_{name}" for name in (*ALGORITHMS, "start", "secure", "unsecure")),
    *("wm_xcbc_mac_derive", "wm_cmac_derive", "wm_counter_slot_init"),
    *("wm_ipv6_checksum", "wm_lowpan_compress"),
    *("wm_lowpan_send", "wm_lowpan_send_next", "wm_mhr_build", "wm_frame_secure"),
)
KEYS: dict[Form, tuple[str, ...]] = {
    "fast": ("wm_aes128_tab_init", "wm_aes128_tab_init_both"),
    "small": ("wm_aes128_lean_init", "wm_aes128_small_init", "wm_aes128_small_init_both"),
}


def aes_of(suite: Suite, form: Form) -> str:
    """The variant of AES-128 under every key of a suite: the smallest that can do what it needs. CBC
    decrypts, which `lean` does not."""
    if form != "small":
        return "tab"
    return "small" if suite.encryption == "aes_cbc" else "lean"


@cache
def target_of(cpu: str, form: Form = "fast") -> EmulatedTarget:
    """The CPU with all that is called; its memory is whoever's that resets it last."""
    timing: Timing | None = "flash" if CPUS[cpu].bands else None
    return EmulatedTarget(linked(cpu, (*FUNCTIONS, *KEYS[form]), form), read_public(ROOT), timing)


def good(target: EmulatedTarget, name: str, *arguments: Any, also: int = 0) -> Outcome:
    """A call; raises ImageError if its status is neither WM_OK nor `also`."""
    done = target.call(name, *arguments)
    if done.value not in (0, also):
        raise ImageError(f"{name} answers {done.value}")
    return done


class Secrets(NamedTuple):
    """Keys of one SA."""

    key: bytes
    code: bytes
    """Of an integrity algorithm."""
    salt: bytes


def secrets_of(direction: int, slot: int) -> Secrets:
    """Those of ESP, slot 0, or of AH, slot 1. No octet string is another's."""
    first = 128 * direction + 64 * slot
    octets = bytes(range(first, first + 52))
    return Secrets(octets[:16], octets[16:48], octets[48:])


def datagram(
    target: EmulatedTarget,
    octets: int,
    ends: tuple[bytes, bytes] = (PEERS, OURS),
    ports: tuple[int, int] = PORTS,
    hops: int = HOPS,
) -> bytes:
    """An IPv6 packet with a UDP datagram of so many octets of data, in clear."""
    header = b"".join(port.to_bytes(2, "big") for port in ports)
    length = UDP_HEADER + octets
    body = bytearray(header + length.to_bytes(2, "big") + bytes(2))
    body += bytes(at & 0xFF for at in range(octets))
    found = target.call("wm_ipv6_checksum", *ends, UDP, bytes(body), length).value
    body[6:8] = found.to_bytes(2, "big")
    head = bytes([0x60, 0, 0, 0]) + length.to_bytes(2, "big") + bytes([UDP, hops])
    return head + b"".join(ends) + bytes(body)


class Node:
    """A node that sends, or one that receives, under the SAs of a suite."""

    stack_octets = 0
    """Of the last call."""

    def __init__(
        self,
        cpu: str,
        suite: str,
        form: Form = "fast",
        *,
        sends: bool,
        remote: bytes = b"",
        direction: int = REQUEST,
    ) -> None:
        """Resets the target. `remote`: the other node."""
        self.target, self.form, self.suite = target_of(cpu, form), form, SUITES[suite]
        self.direction = direction
        self.target.reset()
        pack, buffer = self.target.pack, self.target.buffer
        self._store = self._opened()
        table = buffer(b"".join(self._sas()))
        groups = {"ah": GROUP if self.suite.ah else 0, "esp": GROUP if self.suite.encryption else 0}
        remote = remote or (OURS if sends else PEERS)
        whole = {"remote": remote, "prefix": 128, "action": PROTECT}
        policy = buffer(pack("wm_ipsec_policy", **whole, **groups))
        way, count = ("out", "outs") if sends else ("in", "ins")
        sas = {way: table.address, count: sum(map(bool, groups.values()))}
        profile = STUDY if self.suite.study else 0
        members = {"policies": policy.address, "count": 1}
        self.node = buffer(pack("wm_ipsec", **sas, **members, profile=profile))
        good(self.target, "wm_ipsec_start", self.node)
        self._limits.write(SLOTS * (BLOCK - 1).to_bytes(4, "little"))

    def _opened(self) -> Buffer:
        """A store that is open and has nothing to write."""
        pack, buffer = self.target.pack, self.target.buffer
        self._limits = buffer(bytes(4 * SLOTS))
        at = {"port": buffer(pack("wm_counter_port")).address, "limit": self._limits.address}
        written = b"\xff" * WRITTEN_OCTETS
        store = pack("wm_counter_store", **at, block=BLOCK, slots=SLOTS, written=written)
        return buffer(store)

    def _counter(self, slot: int) -> Buffer:
        made = self.target.buffer(self.target.pack("wm_counter_slot"))
        self.target.call("wm_counter_slot_init", made, self._store, slot)
        return made

    def _sas(self) -> list[bytes]:
        """ESP's and AH's, whichever there are."""
        address, suite, found = self.target.address_of, self.suite, []
        names = [("esp", suite.encryption, suite.integrity), ("ah", "", suite.ah)]
        for slot, (protocol, encryption, integrity) in enumerate(names):
            if not encryption and not integrity:
                continue
            values: dict[str, Any] = {"protocol": address(f"wm_ipsec_{protocol}"), "spi": SPI}
            secrets = secrets_of(self.direction, slot)
            values |= {"salt": secrets.salt, "group": GROUP, "counter": self._counter(slot).address}
            if encryption:
                values["encryption"] = address(f"wm_ipsec_{encryption}")
            if encryption not in ("", "null"):
                both = encryption == "aes_cbc"
                values["cipher"] = self._key(secrets.key, both=both).address
            if integrity:
                values["integrity"] = address(f"wm_ipsec_{integrity}")
                values["integrity_key"] = {"octets": self._code_key(integrity, secrets.code)}
            found.append(bytes(self.target.pack("wm_ipsec_sa", **values)))
        return found

    def _key(self, octets: bytes, *, both: bool = False) -> Buffer:
        variant = aes_of(self.suite, self.form)
        kind = "tab_both" if both and variant == "tab" else variant
        made = self.target.buffer(self.target.pack(f"wm_aes128_{kind}_key"))
        self.target.call(f"wm_aes128_{variant}_init{'_both' if both else ''}", made, octets)
        return made

    def _code_key(self, integrity: str, octets: bytes) -> int:
        """Where the key of a code is: HMAC's are octets, the others made of AES."""
        if integrity.startswith("hmac"):
            return self.target.buffer(octets).address
        kind = "wm_xcbc_mac" if "xcbc" in integrity else "wm_cmac"
        made = self.target.buffer(self.target.pack(f"{kind}_key"))
        good(self.target, f"{kind}_derive", made, self._key(octets[:16]))
        return made.address

    def secure(self, packet: bytes) -> tuple[bytes, int]:
        """The packet secured, and the cycles of that."""
        room = len(packet) + GROWTH
        octets = bytearray(packet.ljust(room, b"\0"))
        length = bytearray(len(packet).to_bytes(2, "little"))
        done = good(self.target, "wm_ipsec_secure", self.node, octets, room, length)
        return self._done(done, octets, length)

    def unsecure(self, packet: bytes) -> tuple[bytes, int]:
        """The reverse."""
        octets, length = bytearray(packet), bytearray(len(packet).to_bytes(2, "little"))
        not_authenticated = self.target.prototypes.constants["WM_NOT_AUTHENTICATED"]
        also = not_authenticated if self.suite.study else 0
        done = good(self.target, "wm_ipsec_unsecure", self.node, octets, length, also=also)
        return self._done(done, octets, length)

    def _done(self, done: Outcome, octets: bytearray, length: bytearray) -> tuple[bytes, int]:
        self.stack_octets = done.stack_octets or 0
        return bytes(octets[: int.from_bytes(length, "little")]), done.cycles or 0
