# SPDX-License-Identifier: BSD-3-Clause
"""What TinySec costs on the AVR, and what the same packet costs under a modern AEAD.

Writes the tables of docs/what-does-tinysec-cost.md: `python -m tests.stack.tinysec.cost`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.model.tinysec_model import MOST, Message
from tests.stack.conftest import target_named
from tests.stack.tinysec.test_tinysec import AE, AUTH, HEADERS, PROFILES, Mote
from wardmote.call import EmulatedTarget
from wardmote.paths import ROOT
from wardmote.published import load

DOCUMENT = ROOT / "docs/what-does-tinysec-cost.md"
BLOCK = re.compile(r"(<!-- tinysec costs -->\n).*?(<!-- tinysec costs: end -->)", re.DOTALL)
CLOCK_HZ = 7_372_800
"""Of a Mica2."""
BYTE_TIME_S = 8 / 19_200
PREAMBLE = 28
"""Octets of the start symbol, in which a sender has time to compute."""
LENGTHS = (0, 8, 16, 24, MOST)
HEADER, IV, NONCE = 4, 4, {"ascon": 16, "ccm": 13}
US, KEY = 2, bytes(range(16))


@dataclass(frozen=True)
class Cost:
    """A packet of one scheme: its octets, and cycles to make it and to take it as a whole."""

    octets: int
    secure: int
    take: int


@cache
def avr() -> EmulatedTarget:
    """The AVR with what the tables need."""
    target = target_named("avr", *HEADERS, "aes128", "ccm", "ascon_aead128")
    assert isinstance(target, EmulatedTarget)
    return target


def cycles(function: str, *arguments: Any) -> int:
    """Cycles of a call that succeeds."""
    outcome = avr().call(function, *arguments)
    assert outcome.value == 0 or function in VOID, (function, outcome.value)
    assert outcome.cycles is not None
    return outcome.cycles


VOID = frozenset({"wm_tinysec_take", "wm_ascon_aead128_seal"})
VOID |= {f"wm_{cipher}_encrypt" for cipher in ("skipjack", "skipjack_small", "rc5")}


def block_cycles(cipher: str) -> int:
    """A block of a cipher, called as primitive."""
    target, key = avr(), avr().buffer(avr().pack(f"wm_{cipher.removesuffix('_small')}"))
    if cipher == "rc5":
        assert target.call("wm_rc5_expand", key, KEY[:8], 8).value == 0
    else:
        target.call("wm_skipjack_expand", key, KEY[:10])
    return cycles(f"wm_{cipher}_encrypt", key, bytearray(8))


def tinysec(cipher: str, mode: int, length: int, profile: str = "paper") -> Cost:
    """A packet of the stack, made by one node and taken by another in one piece."""
    target = avr()
    address, config = 1, {"send": mode, "profile": PROFILES[profile]}
    node = Mote(target, KEY, cipher, config | {"address": address})
    message = target.pack("wm_tinysec_message", dst=US, type=1, len=length)
    packet, octets = bytearray(41), bytearray(1)
    secure = cycles("wm_tinysec_secure", node.node, message, packet, 41, octets)
    took = taking(Mote(target, KEY, cipher, config), bytes(packet[: octets[0]]), octets[0])
    return Cost(octets[0], secure, sum(took))


def taking(node: Mote, packet: bytes, piece: int) -> list[int]:
    """Cycles of each call of a receiver that gets a packet in pieces; the last is the end."""
    target = node.target
    state = target.buffer(target.pack("wm_tinysec_receiver"))
    target.call("wm_tinysec_receive", state, node.node)
    pieces = [packet[at : at + piece] for at in range(0, len(packet), piece)]
    found = [cycles("wm_tinysec_take", state, one, len(one)) for one in pieces]
    message = target.buffer(target.pack("wm_tinysec_message"))
    return [*found, cycles("wm_tinysec_accept_packet", node.node, state, message)]


def ascon(length: int) -> Cost:
    """The same header as associated data, the iv in the nonce, a tag of 16 octets."""
    avr().reset()
    given = (KEY, bytes(16), bytes(HEADER), HEADER)
    data, tag = avr().buffer(bytes(length)), avr().buffer(bytes(16))
    secure = cycles("wm_ascon_aead128_seal", *given, data, length, tag)
    take = cycles("wm_ascon_aead128_open", *given, data, length, tag)
    return Cost(HEADER + IV + length + 16, secure, take)


def ccm(length: int) -> Cost:
    """The same with AES-128 (`tab`, in assembly) in CCM*, and a tag of 4 octets."""
    avr().reset()
    key = avr().buffer(avr().pack("wm_aes128_tab_key"))
    avr().call("wm_aes128_tab_init", key, KEY)
    given = (key, bytes(13), bytes(HEADER), HEADER)
    data, tag = avr().buffer(bytes(length)), avr().buffer(bytes(4))
    secure = cycles("wm_ccm_seal", *given, data, length, tag, 4)
    take = cycles("wm_ccm_open", *given, data, length, tag, 4)
    return Cost(HEADER + IV + length + 4, secure, take)


def operations(mode: int, length: int, profile: str) -> int:
    """Block operations of a packet that is made. The packet is made with two ciphers that differ in
    the time of a block alone."""
    found = {name: tinysec_with(name, mode, length, profile) for name in ("", "_small")}
    of_block = {name: bound_block(name) for name in found}
    count, left = divmod(found["_small"] - found[""], of_block["_small"] - of_block[""])
    assert left == 0, "no whole number of blocks"
    return count


def small_keys(node: Mote, kind: str) -> list[Any]:
    """Keys of Skipjack in its fast or its small form."""
    target = node.target
    keys = [target.buffer(target.pack(f"wm_skipjack{kind}_key")) for _ in range(2)]
    for key in keys:
        target.call(f"wm_skipjack{kind}_init", key, KEY[:10])
    return keys


def tinysec_with(kind: str, mode: int, length: int, profile: str) -> int:
    """Cycles to make a packet with one form of Skipjack."""
    target = avr()
    node = Mote(target, KEY, config={"send": mode, "profile": PROFILES[profile], "accept": 1})
    one, other = small_keys(node, kind)
    node.set(encryption=one.address, mac=other.address)
    message = target.pack("wm_tinysec_message", dst=US, type=1, len=length)
    return cycles("wm_tinysec_secure", node.node, message, bytearray(41), 41, bytearray(1))


def bound_block(kind: str) -> int:
    """One block under a bound key: what a second block adds to CBC."""
    node = Mote(avr(), KEY)
    key, _ = small_keys(node, kind)
    one, two = (
        cycles("wm_cbc_encrypt", key, bytearray(8), bytearray(octets), octets) for octets in (8, 16)
    )
    return two - one


def ms(count: float) -> float:
    """Milliseconds of cycles."""
    return 1000 * count / CLOCK_HZ


def byte_times(count: float) -> float:
    """Cycles in the time of an octet on the air."""
    return count / CLOCK_HZ / BYTE_TIME_S


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def table_3() -> str:
    """Cycles of a block beside the paper's milliseconds."""
    printed = load("tinysec")["cipher_block_ms"]
    names = {"skipjack": "skipjack_c", "rc5": "rc5_c_assembly"}
    rows = []
    for cipher, paper in names.items():
        count, theirs = block_cycles(cipher), printed[paper]
        rows.append(
            (
                cipher,
                count,
                f"{ms(count):.2f}",
                f"{byte_times(count):.1f}",
                f"{theirs['ms']:.2f}",
                theirs["byte_times"],
            )
        )
    return table(("cipher", "cycles", "ms", "byte times", "paper ms", "paper byte times"), rows)


def operations_table() -> str:
    """Block operations of a packet in both profiles."""
    columns = [(mode, profile) for mode in (AUTH, AE) for profile in PROFILES]
    head = ["data", *(f"{('Auth', 'AE')[mode]}, {profile}" for mode, profile in columns)]
    return table(
        head,
        [(n, *(operations(mode, n, profile) for mode, profile in columns)) for n in LENGTHS],
    )


SCHEMES: dict[str, Callable[[int], Cost]] = {
    "TinySec Auth, Skipjack": lambda n: tinysec("skipjack", AUTH, n),
    "TinySec AE, Skipjack": lambda n: tinysec("skipjack", AE, n),
    "TinySec AE, RC5": lambda n: tinysec("rc5", AE, n),
    "CCM* with AES-128, tag 4": ccm,
    "Ascon-AEAD128, tag 16": ascon,
}


def schemes_table() -> str:
    """The same message under each scheme."""
    head = [
        "scheme",
        *(f"{what}, {n} octets" for n in (MOST, 0) for what in ("packet", "make", "take")),
    ]
    rows = []
    for name, of in SCHEMES.items():
        costs = [of(n) for n in (MOST, 0)]
        rows.append((name, *(x for one in costs for x in (one.octets, one.secure, one.take))))
    return table(head, rows)


def behind_the_last_octet() -> tuple[int, int, int]:
    """Of an AE packet of 29 octets that comes octet by octet: cycles from its last octet on, the most
    that one octet takes before, and all."""
    target = avr()
    node = Mote(target, KEY, config={"send": AE, "address": US})
    packet = node.secure(Message(US, 1, bytes(MOST)))[1]
    found = taking(Mote(target, KEY), packet, 1)
    return sum(found[-2:]), max(found[:-2]), sum(found)


def times_table() -> str:
    """What the sender and the receiver of the longest AE packet have time for."""
    last, most, whole = behind_the_last_octet()
    symbol = round(PREAMBLE * BYTE_TIME_S * CLOCK_HZ)
    rows = {
        "make an AE packet of 29 octets": tinysec("skipjack", AE, MOST).secure,
        f"the start symbol of {PREAMBLE} octets, in which that is done": symbol,
        "take it octet by octet": whole,
        "of that, the octet that takes most": most,
        "of that, from the last octet on": last,
        "one block": block_cycles("skipjack"),
    }
    head = ("Skipjack", "cycles", "ms", "byte times")
    return table(
        head, [(name, n, f"{ms(n):.2f}", f"{byte_times(n):.1f}") for name, n in rows.items()]
    )


def text() -> str:
    """All that is generated."""
    return "\n".join((table_3(), operations_table(), schemes_table(), times_table()))


def main() -> None:
    """Writes it into the document."""
    document = DOCUMENT.read_text(encoding="utf-8")
    filled = BLOCK.sub(lambda found: found[1] + text() + found[2], document)
    DOCUMENT.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
