# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the stack's primitives in terms of octets, the same on every target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tests.vectors import statuses
from wardmote.call import Buffer, EmulatedTarget, Outcome, Target, TraceMode

SEAL, OPEN = 0, 1
EXPANSION = "wm_aes128_expand", "wm_aes128"
OK = statuses()["WM_OK"]
NOT_AUTHENTICATED = statuses()["WM_NOT_AUTHENTICATED"]
ERR_PARAM = statuses()["WM_ERR_PARAM"]
ERR_SECURITY = statuses()["WM_ERR_SECURITY"]
ERR_STATE = statuses()["WM_ERR_STATE"]
ERR_ENGINE = statuses()["WM_ERR_ENGINE"]


def one_way(
    target: Target, function: str, schedule: bytes, block: bytes, trace: TraceMode = "off"
) -> tuple[bytes, Outcome]:
    """A block by a function of a cipher, and how the call went."""
    octets = bytearray(block)
    outcome = target.call(function, schedule, octets, trace=trace)
    return bytes(octets), outcome


def in_place(
    target: Target, function: str, key: Buffer, place: Buffer, begin: int, length: int
) -> tuple[bytes, bytes]:
    """A block by a function of a cipher in the middle of memory: the block before and after. The
    octets around it must stay."""
    end = begin + length
    before = place.read()
    target.call(function, key, place.address + begin)
    after = place.read()
    assert after[:begin] + after[end:] == before[:begin] + before[end:]
    return before[begin:end], after[begin:end]


def words(target: Target, octets: bytes, size: int) -> bytes:
    """Words in the target's memory as words with their least significant octet first, and the
    reverse."""
    if target.model.order == "little":
        return octets
    return b"".join(octets[at : at + size][::-1] for at in range(0, len(octets), size))


def memory(target: Target, symbol: str, length: int) -> bytes:
    """The octets at a symbol, in RAM or in flash."""
    if isinstance(target, EmulatedTarget):
        return target.program.read(target.program.symbols()[symbol][0], length)
    return target.read(target.address_of(symbol), length)


@lru_cache(maxsize=64)
def expand(target: Target, key: bytes, variant: str = "tab") -> bytes:
    """The expanded key of a variant: 176 octets of round keys, for `fix` 352 octets of slices, or
    for `lean` the key as it is."""
    if variant == "lean":
        return key
    function, form = ("wm_aes128_fix_expand", "wm_aes128_slices") if variant == "fix" else EXPANSION
    schedule = target.pack(form)
    target.call(function, schedule, key)
    return bytes(schedule)


@lru_cache(maxsize=64)
def made(target: Target, cipher: str, key: bytes, both: bool = False) -> bytes:
    """A key for the modes: what `wm_CIPHER_init` makes, or `wm_CIPHER_init_both`."""
    way = "_both" if both else ""
    form = f"wm_{cipher}{way if cipher == 'aes128_tab' else ''}_key"
    room = target.pack(form)
    length = (len(key),) if cipher == "rc5" else ()
    outcome = target.call(f"wm_{cipher}_init{way}", room, key, *length)
    assert cipher != "rc5" or outcome.value == OK
    return bytes(room)


def bound(target: Target, cipher: str, key: bytes, both: bool = False) -> Buffer:
    """The same in memory of the target, for what keeps a pointer to it."""
    return target.buffer(made(target, cipher, key, both))


def encrypt(
    target: Target, variant: str, schedule: bytes, block: bytes, trace: TraceMode = "off"
) -> tuple[bytes, Outcome]:
    """One block, and how the call went."""
    return one_way(target, f"wm_aes128_{variant}_encrypt", schedule, block, trace)


def encrypt2(
    target: Target, schedule: bytes, first: bytes, second: bytes, trace: TraceMode = "off"
) -> tuple[bytes, bytes, Outcome]:
    """Two blocks by `fix`, and how the call went."""
    blocks = bytearray(first), bytearray(second)
    outcome = target.call("wm_aes128_fix_encrypt2", schedule, *blocks, trace=trace)
    return bytes(blocks[0]), bytes(blocks[1]), outcome


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a one-shot call left."""

    status: int
    m: bytes
    tag: bytes
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Ccm:
    """CCM with one key on one target by one variant of AES."""

    target: Target
    variant: str
    key: bytes

    def cipher(self) -> bytes:
        """The key."""
        return made(self.target, f"aes128_{self.variant}", self.key)

    def _begin(self, nonce: bytes) -> tuple[bytes, bytes]:
        return self.cipher(), nonce

    def seal(
        self, nonce: bytes, a: bytes, m: bytes, tag_len: int, trace: TraceMode = "off"
    ) -> Sealed:
        """`wm_ccm_seal` with every string in octets of its own; the tag begins as 0xee."""
        octets, tag = bytearray(m), bytearray(b"\xee" * tag_len)
        args = (*self._begin(nonce), a, len(a), octets, len(m), tag, tag_len)
        outcome = self.target.call("wm_ccm_seal", *args, trace=trace)
        return Sealed(outcome.value, bytes(octets), bytes(tag), outcome)

    def open(
        self, nonce: bytes, a: bytes, m: bytes, tag: bytes, trace: TraceMode = "off"
    ) -> Sealed:
        """`wm_ccm_open` with every string in octets of its own."""
        octets = bytearray(m)
        args = (*self._begin(nonce), a, len(a), octets, len(m), tag, len(tag))
        outcome = self.target.call("wm_ccm_open", *args, trace=trace)
        return Sealed(outcome.value, bytes(octets), tag, outcome)


class Incremental:
    """One CCM context. It moves from call to call: a context holds no pointer into itself."""

    def __init__(self, ccm: Ccm) -> None:
        self.target = ccm.target
        self.ccm = ccm
        self.context = self.target.pack("wm_ccm")
        self.cipher = self.target.buffer(ccm.cipher())

    def start(self, nonce: bytes, a_len: int, m_len: int, tag_len: int, direction: int) -> int:
        """`wm_ccm_start`."""
        args = (self.context, self.cipher, nonce, a_len, m_len, tag_len, direction)
        return self.target.call("wm_ccm_start", *args).value

    def aad(self, data: bytes) -> int:
        """`wm_ccm_aad`."""
        return self.target.call("wm_ccm_aad", self.context, data, len(data)).value

    def crypt(self, data: bytes) -> tuple[int, bytes]:
        """`wm_ccm_crypt`: the status, and the data afterwards."""
        octets = bytearray(data)
        return self.target.call("wm_ccm_crypt", self.context, octets, len(octets)).value, bytes(
            octets
        )

    def seal_finish(self, tag_len: int) -> tuple[int, bytes]:
        """`wm_ccm_seal_finish`: status and tag, which begins as 0xee."""
        tag = bytearray(b"\xee" * tag_len)
        return self.target.call("wm_ccm_seal_finish", self.context, tag).value, bytes(tag)

    def open_finish(self, tag: bytes) -> int:
        """`wm_ccm_open_finish`."""
        return self.target.call("wm_ccm_open_finish", self.context, tag).value

    def run(
        self, nonce: bytes, a: Sequence[bytes], m: Sequence[bytes], tag_len: int
    ) -> tuple[bytes, bytes]:
        """Seals from pieces: ciphertext and tag."""
        assert self.start(nonce, len(b"".join(a)), len(b"".join(m)), tag_len, SEAL) == OK
        for piece in a:
            assert self.aad(piece) == OK
        done = [self.crypt(piece) for piece in m]
        assert all(status == OK for status, _ in done)
        status, tag = self.seal_finish(tag_len)
        assert status == OK
        return b"".join(octets for _, octets in done), tag


def pieces(octets: bytes, cuts: Sequence[int]) -> list[bytes]:
    """`octets` cut at the given positions, in any order and more than once."""
    edges = [0, *sorted(min(cut, len(octets)) for cut in cuts), len(octets)]
    return [octets[begin:end] for begin, end in pairwise(edges)]


class AeadContext:
    """The context of an AEAD whose functions begin with `prefix`, in octets that held something
    else before."""

    def __init__(self, target: Target, prefix: str, tag_len: int, *start: Any) -> None:
        self.target = target
        self.prefix = prefix
        self.tag_len = tag_len
        self.context = target.pack(prefix)
        self.context[:] = b"\xa5" * len(self.context)
        self.started = self._call("start", *start)
        """What start answered, if it answers."""

    def _call(self, name: str, *arguments: Any) -> int:
        return self.target.call(f"{self.prefix}_{name}", self.context, *arguments).value

    def aad(self, data: bytes) -> int:
        """Status."""
        return self._call("aad", data, len(data))

    def crypt(self, data: bytes) -> tuple[int, bytes]:
        """The status, and the data afterwards."""
        m = bytearray(data)
        return self._call("crypt", m, len(m)), bytes(m)

    def seal_finish(self) -> tuple[int, bytes]:
        """Status and tag, which begins as 0xee."""
        tag = bytearray(b"\xee" * self.tag_len)
        return self._call("seal_finish", tag), bytes(tag)

    def open_finish(self, tag: bytes) -> int:
        """Status."""
        return self._call("open_finish", tag)

    def through(self, a: Sequence[bytes], m: Sequence[bytes]) -> bytes:
        """Takes all of a and m; the result of m."""
        assert all(self.aad(piece) == OK for piece in a)
        done = [self.crypt(piece) for piece in m]
        assert all(status == OK for status, _ in done)
        return b"".join(out for _, out in done)
