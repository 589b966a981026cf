# SPDX-License-Identifier: BSD-3-Clause
"""The cipher that modes take: keys that were not made are refused, and an engine that fails at any
block gives no tag, has none accepted, and releases nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.stack.calls import ERR_ENGINE, ERR_PARAM, ERR_STATE, OK, bound
from tests.stack.conftest import target_named
from tests.stack.mode import block_ciphers
from wardmote.call import Buffer, HostTarget, Target

HEADERS = (
    *block_ciphers.HEADERS,
    *("cbc", "ctr", "ccm", "eax", "ocb3", "cbc_mac", "cmac", "xcbc_mac", "marvin", "lettersoup"),
    "engine_double",
)
KEY, NONCE, M = bytes(range(16)), bytes(range(0x30, 0x40)), bytes(range(100, 141))
NO_TAG = b"\xee" * 12
EAX_START_BLOCKS = 2
"""Blocks enciphered by wm_eax_start with a nonce of less than a block."""
LONG = 65536 + 16
"""Octets that 16 bits would take for 16."""


@dataclass(slots=True)
class Run:
    """What calls from a cipher's key to the end of a message left."""

    status: int
    m: bytes = M
    tag: bytes = NO_TAG


def derived(target: Target, mode: str, key: Buffer) -> tuple[int, Buffer]:
    """Status, and the key of a mode, which held something else before."""
    room = target.buffer(b"\xa5" * len(target.pack(f"wm_{mode}_key")))
    return target.call(f"wm_{mode}_derive", room, key).value, room


def ctr(target: Target, key: Buffer) -> Run:
    """Counter mode."""
    context, m = target.buffer(b"\xa5" * len(target.pack("wm_ctr"))), bytearray(M)
    begun = target.call("wm_ctr_init", context, key, NONCE).value
    status = target.call("wm_ctr_crypt", context, m, len(m)).value
    assert begun in (OK, status)
    return Run(status, bytes(m))


def cbc(function: str) -> Callable[[Target, Buffer], Run]:
    """CBC in one direction."""

    def run(target: Target, key: Buffer) -> Run:
        m = bytearray(M)
        status = target.call(f"wm_{function}", key, bytearray(NONCE), m, len(m)).value
        return Run(status, bytes(m))

    return run


def mac(mode: str, *, keyed: bool = True) -> Callable[[Target, Buffer], Run]:
    """A message authentication code, in two pieces."""

    def run(target: Target, key: Buffer) -> Run:
        status, context = OK, target.buffer(b"\xa5" * len(target.pack(f"wm_{mode}")))
        if keyed:
            status, key = derived(target, mode, key)
        begun = target.call(f"wm_{mode}_init", context, key).value
        if status == OK:
            status = begun
        assert (begun == OK) == (status == OK)
        for piece in (M[:20], M[20:]):
            target.call(f"wm_{mode}_update", context, piece, len(piece))
        tag = bytearray(NO_TAG)
        ended = target.call(f"wm_{mode}_final", context, tag, len(tag)).value
        again = target.call(f"wm_{mode}_final", context, bytearray(12), 12).value
        assert again == ERR_STATE
        return Run(ended if status == OK else status, tag=bytes(tag))

    return run


def aead(
    mode: str, nonce: int, *, derive: str = "", names_nonce: bool = False
) -> Callable[[Target, Buffer], Run]:
    """Sealing in one call."""

    def run(target: Target, key: Buffer) -> Run:
        status = OK
        if derive:
            status, key = derived(target, derive, key)
        m, tag = bytearray(M), bytearray(NO_TAG)
        begin = (key, NONCE[:nonce], *((nonce,) if names_nonce else ()))
        sealed = target.call(f"wm_{mode}_seal", *begin, b"head", 4, m, len(m), tag, 12).value
        assert status == OK or sealed == ERR_STATE
        return Run(sealed if status == OK else status, bytes(m), bytes(tag))

    return run


def opening(
    mode: str, nonce: int, *, derive: str = "", names_nonce: bool = False
) -> Callable[[Target, Buffer], Run]:
    """Opening in one call of what the same mode seals with an engine that works."""
    seal = aead(mode, nonce, derive=derive, names_nonce=names_nonce)

    def run(target: Target, key: Buffer) -> Run:
        with_engine = bytearray(key.read())
        curupira = mode == "lettersoup"
        good = bound(
            target, "curupira2" if curupira else "aes128_small", KEY[: 12 if curupira else 16]
        )
        sealed = seal(target, good)
        assert sealed.status == OK
        key.write(bytes(with_engine))
        status = OK
        if derive:
            status, key = derived(target, derive, key)
        m = bytearray(sealed.m)
        begin = (key, NONCE[:nonce], *((nonce,) if names_nonce else ()))
        opened = target.call(f"wm_{mode}_open", *begin, b"head", 4, m, len(m), sealed.tag, 12).value
        if status == OK and opened == OK:
            assert m == M
        return Run(opened if status == OK else status, bytes(m) if opened != ERR_STATE else M)

    return run


MODES: dict[str, Callable[[Target, Buffer], Run]] = {
    "ctr": ctr,
    "cbc_cs3_encrypt": cbc("cbc_cs3_encrypt"),
    "cbc_cs3_decrypt": cbc("cbc_cs3_decrypt"),
    "cbc_mac": mac("cbc_mac", keyed=False),
    "cmac": mac("cmac"),
    "xcbc_mac": mac("xcbc_mac"),
    "ccm": aead("ccm", 13),
    "ccm open": opening("ccm", 13),
    "eax": aead("eax", 12, derive="cmac", names_nonce=True),
    "eax open": opening("eax", 12, derive="cmac", names_nonce=True),
    "ocb3": aead("ocb3", 12, derive="ocb3", names_nonce=True),
    "ocb3 open": opening("ocb3", 12, derive="ocb3", names_nonce=True),
    "marvin": mac("marvin"),
    "lettersoup": aead("lettersoup", 12),
    "lettersoup open": opening("lettersoup", 12),
}
every_mode = pytest.mark.parametrize("mode", MODES)


def engine(target: Target, mode: str) -> Buffer:
    """A key of the cipher under the mode, through the engine."""
    cipher, form, octets = (
        ("curupira2", "wm_curupira2_key", 12)
        if mode.startswith(("marvin", "lettersoup"))
        else ("aes128", "wm_aes128_small_key", 16)
    )
    room = target.pack(form)
    target.call(f"engine_double_{cipher}", room, KEY[:octets])
    return target.buffer(bytes(room))


@every_mode
def test_a_key_that_was_not_made_is_refused(target: Target, mode: str) -> None:
    """Zeros, as static memory holds and wm_wipe leaves them, are no key: nothing is done."""
    made = engine(target, mode)
    target.call("engine_double_fail_at", 0)
    made.write(bytes(len(made.read())))
    assert MODES[mode](target, made) == Run(ERR_STATE)
    assert target.call("engine_double_count").value == 0


@every_mode
def test_a_failure_at_any_block_is_told(target: Target, mode: str) -> None:
    """No tag is written or accepted and no octet of the message is left, wherever the engine fails;
    where it does not, all goes well."""
    target.call("engine_double_fail_at", 0)
    assert MODES[mode](target, engine(target, mode)).status == OK
    blocks = target.call("engine_double_count").value
    assert blocks >= 2
    for place in range(1, blocks + 1):
        target.reset()
        key = engine(target, mode)
        target.call("engine_double_fail_at", place)
        run = MODES[mode](target, key)
        assert (run.status, run.tag) == (ERR_ENGINE, NO_TAG), place
        early = mode.startswith(("eax", "ocb3")) and place == 1
        assert run.m == (M if early or "mac" in mode or mode == "marvin" else bytes(len(M))), place
    target.reset()
    target.call("engine_double_fail_at", blocks + 1)
    assert MODES[mode](target, engine(target, mode)).status == OK


def test_no_plaintext_is_left_where_the_next_block_begins(target: Target) -> None:
    """The initialisation vector of CBC becomes the last block of ciphertext. Where the engine failed at
    any block, that would be plaintext, which the caller takes for public: it is wiped."""
    for place in range(1, 4):
        target.reset()
        key, iv, m = engine(target, "cbc"), target.buffer(NONCE), bytearray(M[:32])
        target.call("engine_double_fail_at", place)
        status = target.call("wm_cbc_encrypt", key, iv, m, len(m)).value
        if place == 3:
            assert (status, iv.read()) == (OK, bytes(m[16:]))
            continue
        assert (status, iv.read(), bytes(m)) == (ERR_ENGINE, bytes(16), bytes(32)), place


@pytest.mark.parametrize("mode", ["cmac", "xcbc_mac", "ocb3", "marvin"])
def test_no_subkey_stays_that_the_engine_failed_at(target: Target, mode: str) -> None:
    """A derivation in which any block fails leaves zeros: none of the subkeys before, either."""
    target.call("engine_double_fail_at", 0)
    assert derived(target, mode, engine(target, mode))[0] == OK
    blocks = target.call("engine_double_count").value
    assert blocks == (3 if mode == "xcbc_mac" else 1)
    for place in range(1, blocks + 1):
        target.reset()
        key = engine(target, mode)
        target.call("engine_double_fail_at", place)
        status, subkeys = derived(target, mode, key)
        assert (status, any(subkeys.read())) == (ERR_ENGINE, False), place


def test_pieces_of_a_frame_that_the_engine_fails_at(target: Target) -> None:
    """In CCM by pieces the call that the engine fails in tells it, wipes its octets, and ends the
    frame."""
    for place in range(1, 9):
        target.reset()
        key, context = engine(target, "ccm"), target.buffer(target.pack("wm_ccm"))
        target.call("engine_double_fail_at", place)
        status = target.call("wm_ccm_start", context, key, NONCE[:13], 20, 32, 8, 0).value
        if status == OK:
            status = target.call("wm_ccm_aad", context, bytes(20), 20).value
        pieces = [bytearray(M[:16]), bytearray(M[:16])]
        for piece in pieces:
            if status == OK:
                status = target.call("wm_ccm_crypt", context, piece, 16).value
                assert status == OK or not any(piece)
        tag = bytearray(b"\xee" * 8)
        ended = target.call("wm_ccm_seal_finish", context, tag).value
        told = [answer for answer in (status, ended) if answer == ERR_ENGINE]
        assert (len(told), bytes(tag)) == (1, b"\xee" * 8), place
        assert not any(context.read()), "the context is wiped"


def test_eax_does_not_start_without_its_cipher(target: Target) -> None:
    """In EAX by pieces a key whose cipher was wiped is refused; when the engine fails in the start,
    the context is wiped."""
    for place in range(1, 5):
        target.reset()
        key, context = engine(target, "eax"), target.buffer(b"\xa5" * len(target.pack("wm_eax")))
        target.call("engine_double_fail_at", 0)
        status, mac_key = derived(target, "cmac", key)
        assert status == OK
        begin = (context, mac_key, NONCE, 12, 1)
        target.call("engine_double_fail_at", place)
        status = target.call("wm_eax_start", *begin).value
        assert (status, any(context.read())) == (
            (ERR_ENGINE, False) if place <= EAX_START_BLOCKS else (OK, True)
        )
        key.write(bytes(len(key.read())))
        assert target.call("wm_eax_start", *begin).value == ERR_STATE
        assert target.call("wm_eax_aad", context, M, 1).value == ERR_STATE


def test_xcbc_mac_needs_no_second_key(target: Target) -> None:
    """After the derivation the key is one of K1, as the cipher makes it of K1 by itself."""
    key = bound(target, "aes128_tab", KEY)
    k1 = bytearray(b"\x01" * 16)
    assert target.call("wm_cbc_encrypt", key, bytearray(16), k1, 16).value == OK
    assert derived(target, "xcbc_mac", key)[0] == OK
    assert key.read() == bound(target, "aes128_tab", bytes(k1)).read()


def test_a_key_of_one_direction_does_not_decrypt(target: Target) -> None:
    """CBC and OCB3 refuse to go back; the message stays."""
    key = bound(target, "aes128_tab", KEY)
    m = bytearray(M)
    for function in ("wm_cbc_decrypt", "wm_cbc_cs3_decrypt"):
        assert target.call(function, key, bytearray(NONCE), m, 32).value == ERR_PARAM
    ocb = derived(target, "ocb3", key)[1]
    opened = target.call("wm_ocb3_open", ocb, NONCE, 12, b"", 0, m, len(m), NO_TAG, 12)
    assert (opened.value, bytes(m)) == (ERR_PARAM, M)


def test_lengths_that_8_bits_cannot_hold(target: Target) -> None:
    """A tag, a nonce or a key of 256 octets more than what is right is none, not one of the rest."""
    more = 256
    key, m = bound(target, "aes128_tab", KEY), bytes(16)
    curupira, tag, nonce = bound(target, "curupira2", KEY[:12]), bytes(more + 16), bytes(more + 12)
    of_cmac, of_ocb3 = derived(target, "cmac", key)[1], derived(target, "ocb3", key)[1]
    message = b"", 0, m, 16, tag
    begins: dict[str, tuple[Buffer | bytes | int, ...]] = {
        "ccm": (key, NONCE[:13]),
        "eax": (of_cmac, nonce, 12),
        "ocb3": (of_ocb3, nonce, 12),
        "lettersoup": (curupira, NONCE[:12]),
    }
    for mode, begin in begins.items():
        for way in (f"wm_{mode}_seal", f"wm_{mode}_open"):
            assert target.call(way, *begin, *message, more + 8).value == ERR_PARAM, way
    long_nonce = of_ocb3, nonce, more + 12, *message, 8
    assert target.call("wm_ocb3_seal", *long_nonce).value == ERR_PARAM
    for mode, made in (("cmac", of_cmac), ("cbc_mac", key)):
        context = target.buffer(len(target.pack(f"wm_{mode}")))
        assert target.call(f"wm_{mode}_init", context, made).value == OK
        for end in ("final", "verify"):
            assert target.call(f"wm_{mode}_{end}", context, tag, more + 8).value == ERR_PARAM
    rc5 = target.buffer(len(target.pack("wm_rc5_key")))
    assert target.call("wm_rc5_init", rc5, tag, more + 16).value == ERR_PARAM


def test_lengths_that_16_bits_cannot_hold() -> None:
    """On a CPU with longer lengths, CCM refuses a longer message and longer data than it can
    authenticate, with all of it as it was; comparison and wiping reach the end."""
    target = target_named("host")
    assert isinstance(target, HostTarget)
    target.reset()
    key, m, tag = bound(target, "aes128_tab", KEY), bytearray(b"S" * LONG), bytearray(NO_TAG)
    given = (key, NONCE[:13])
    assert target.call("wm_ccm_seal", *given, b"", 0, m, LONG, tag, 12).value == ERR_PARAM
    assert target.call("wm_ccm_open", *given, b"", 0, m, LONG, tag, 12).value == ERR_PARAM
    assert target.call("wm_ccm_seal", *given, bytes(LONG), LONG, m, 16, tag, 12).value == ERR_PARAM
    assert (bytes(m), bytes(tag)) == (b"S" * LONG, NO_TAG)
    other = bytearray(m)
    other[-1] ^= 1
    assert target.call("wm_ct_diff", bytes(m), bytes(other), LONG).value != 0
    target.call("wm_wipe", m, LONG)
    assert not any(m)
