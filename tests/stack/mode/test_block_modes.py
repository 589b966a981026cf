# SPDX-License-Identifier: BSD-3-Clause
"""CBC, CBC-CS3 and CTR over AES-128, Skipjack, RC5 and Curupira: vectors both ways, refusals,
pieces, place and equal time.

A test goes through all vectors of a mode on a target at once: a case takes less than pytest needs
to name it. The emulated targets take every printed vector and every third of the others; the host
takes all.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.block_modes_model import CIPHERS, cbc_encrypt, cs3_encrypt, ctr
from tests.stack.calls import ERR_PARAM, OK, bound, pieces
from tests.stack.conftest import USUAL, target_named
from tests.stack.mode import block_ciphers
from tests.stack.mode.block_ciphers import key_of
from tests.vectors import Vector, load
from wardmote.call import Buffer, EmulatedTarget, Outcome, Target, TraceMode

HEADERS = (*block_ciphers.HEADERS, "cbc", "ctr")

OTHERS = {"aes128_tab": "aes128", "aes128_fix": "aes128", "skipjack_small": "skipjack"}
"""The other variants, each with its cipher."""
EQUAL_TIME_RUNS = 20
LONG = 4 * 65536 + 4099
"""Octets of which 16 bits can count neither all nor a quarter."""
every_cipher = pytest.mark.parametrize("name", CIPHERS)


def one_way(
    target: Target,
    function: str,
    key: Buffer,
    iv: bytes,
    data: bytes,
    trace: TraceMode = "off",
) -> tuple[int, bytes, bytes, Outcome]:
    """The status of `wm_FUNCTION`, data and iv afterwards, and how the call went."""
    octets, chain = bytearray(data), bytearray(iv)
    outcome = target.call(f"wm_{function}", key, chain, octets, len(octets), trace=trace)
    return outcome.value, bytes(octets), bytes(chain), outcome


def counter_mode(
    target: Target,
    key: Buffer,
    counter: bytes,
    parts: list[bytes],
    trace: TraceMode = "off",
) -> tuple[bytes, list[Outcome]]:
    """What CTR makes of a message in parts, and how the calls went."""
    context = target.pack("wm_ctr")
    context[:] = b"\xa5" * len(context)
    outcomes = [target.call("wm_ctr_init", context, key, counter, trace=trace)]
    done = b""
    for part in parts:
        octets = bytearray(part)
        outcomes.append(target.call("wm_ctr_crypt", context, octets, len(octets), trace=trace))
        done += octets
    assert all(outcome.value == OK for outcome in outcomes)
    return done, outcomes


def some(target: Target, folder: str) -> list[Vector]:
    """Vectors in the number that suits the target: on emulated ones every third, and all printed
    ones."""
    everything = load(folder, "block-mode")
    if not isinstance(target, EmulatedTarget):
        assert len(everything) >= 190
        return everything
    return [
        vector
        for vector in everything
        if not vector.file.endswith("generated.json") or vector.tc_id % 3 == 0
    ]


@pytest.mark.parametrize("mode", ["cbc", "cbc_cs3"])
def test_both_ways_of_every_vector(target: Target, mode: str) -> None:
    """Each vector's plaintext becomes its ciphertext and that its plaintext; CBC hands on the last
    block."""
    for vector in some(target, mode):
        name = vector.parameters["cipher"]
        key, iv, pt, ct = (vector.octets(member) for member in ("key", "iv", "pt", "ct"))
        under = key_of(target, name, key, both=True)
        handed_on = (iv + ct)[-len(iv) :] if mode == "cbc" else iv
        got = one_way(target, f"{mode}_encrypt", under, iv, pt)[:3]
        assert got == (OK, ct, handed_on), vector
        got = one_way(target, f"{mode}_decrypt", under, iv, ct)[:3]
        assert got == (OK, pt, handed_on), vector
        target.reset()


@pytest.mark.parametrize("mode", ["cbc", "cbc_cs3"])
def test_refused_lengths_touch_nothing(target: Target, mode: str) -> None:
    """Lengths that are no whole blocks, or for CBC-CS3 less than one, are refused with data and iv
    as they were."""
    for vector in load(mode, "block-mode-length"):
        name, length = vector.parameters["cipher"], vector.number("len")
        if isinstance(target, EmulatedTarget) and length > 255:
            continue
        iv, data = b"\x5a" * CIPHERS[name].block_octets, b"\xa5" * length
        under = key_of(target, name, bytes(CIPHERS[name].key_octets), both=True)
        for way in ("encrypt", "decrypt"):
            assert one_way(target, f"{mode}_{way}", under, iv, data)[:3] == (
                vector.status,
                data,
                iv,
            ), vector
        target.reset()


def test_counter_mode_of_every_vector(target: Target) -> None:
    """Each vector's plaintext becomes its ciphertext and that its plaintext."""
    for vector in some(target, "ctr"):
        name = vector.parameters["cipher"]
        key, counter, pt, ct = (vector.octets(member) for member in ("key", "iv", "pt", "ct"))
        under = key_of(target, name, key)
        assert counter_mode(target, under, counter, [pt])[0] == ct, vector
        assert counter_mode(target, under, counter, [ct])[0] == pt, vector
        target.reset()


@pytest.mark.parametrize("variant", OTHERS)
def test_every_variant_is_its_cipher(target: Target, variant: str) -> None:
    """CTR over each further variant gives what the model's cipher does; CBC comes back over those
    that decrypt."""
    cipher, source = CIPHERS[OTHERS[variant]], random.Random(variant)
    key, counter, pt = (
        source.randbytes(cipher.key_octets),
        source.randbytes(cipher.block_octets),
        source.randbytes(40),
    )
    under = bound(target, variant, key)
    assert counter_mode(target, under, counter, [pt])[0] == ctr(cipher, key, counter, pt)
    if variant != "aes128_fix":
        both = bound(target, variant, key, both=True)
        ct = one_way(target, "cbc_cs3_encrypt", both, counter, pt)[1]
        assert ct == cs3_encrypt(cipher, key, counter, pt)
        assert one_way(target, "cbc_cs3_decrypt", both, counter, ct)[:2] == (OK, pt)


@pytest.mark.parametrize("name", USUAL)
@pytest.mark.parametrize("cipher", CIPHERS)
@settings(max_examples=5)
@given(
    message=st.binary(max_size=90),
    cuts=st.lists(st.integers(0, 90), max_size=6),
    seed=st.integers(0, 999),
)
def test_cut_anywhere(name: str, cipher: str, message: bytes, cuts: list[int], seed: int) -> None:
    """However a message is cut, CTR gives the model's ciphertext; cut between blocks, so does
    CBC."""
    target = target_named(name, *HEADERS)
    target.reset()
    model, source = CIPHERS[cipher], random.Random(seed)
    b = model.block_octets
    key, iv = source.randbytes(model.key_octets), source.randbytes(b)
    under = key_of(target, cipher, key)
    assert counter_mode(target, under, iv, pieces(message, cuts))[0] == ctr(model, key, iv, message)
    whole = message[: len(message) // b * b]
    done, chain = b"", iv
    for piece in pieces(whole, [cut // b * b for cut in cuts]):
        status, out, chain, _ = one_way(target, "cbc_encrypt", under, chain, piece)
        assert status == OK
        done += out
    assert done == cbc_encrypt(model, key, iv, whole)


@every_cipher
def test_long_pieces_on_host(name: str) -> None:
    """On the host, CTR, CBC and CBC-CS3 of more octets than 16 bits count give what short pieces
    give, and come back."""
    target, cipher = target_named("host"), CIPHERS[name]
    target.reset()
    source, b = random.Random(f"{name} longest"), cipher.block_octets
    under = key_of(target, name, source.randbytes(cipher.key_octets), both=True)
    iv, m = source.randbytes(b), source.randbytes(LONG)
    cuts = list(range(0, len(m), 85 * b))
    parts = counter_mode(target, under, iv, pieces(m, cuts))[0]
    assert counter_mode(target, under, iv, [m])[0] == parts
    whole, chain, done = m[: len(m) // b * b], iv, b""
    for piece in pieces(whole, cuts):
        _, out, chain, _ = one_way(target, "cbc_encrypt", under, chain, piece)
        done += out
    assert one_way(target, "cbc_encrypt", under, iv, whole)[:2] == (OK, done)
    assert one_way(target, "cbc_decrypt", under, iv, done)[:2] == (OK, whole)
    ct = one_way(target, "cbc_cs3_encrypt", under, iv, m)[1]
    assert ct[: len(whole) - b] == done[: len(whole) - b]
    assert one_way(target, "cbc_cs3_decrypt", under, iv, ct)[:2] == (OK, m)


@every_cipher
def test_long_lengths_that_are_no_whole_blocks(name: str) -> None:
    """On the host, CBC refuses them too, and touches nothing."""
    target, b = target_named("host"), CIPHERS[name].block_octets
    target.reset()
    under = key_of(target, name, bytes(CIPHERS[name].key_octets), both=True)
    for length in (65536 + 4, 4 * 65536 + 4, 4 * 65536):
        iv, data = bytes(b), bytes(length)
        for way in ("encrypt", "decrypt") if length % b else ():
            assert one_way(target, f"cbc_{way}", under, iv, data)[:3] == (ERR_PARAM, data, iv)


@every_cipher
def test_every_short_length_both_ways(target: Target, name: str) -> None:
    """CBC-CS3 of every length from one block to four gives the model's ciphertext and comes
    back."""
    cipher, source = CIPHERS[name], random.Random(f"cs3 {name}")
    key, iv = source.randbytes(cipher.key_octets), source.randbytes(cipher.block_octets)
    under = key_of(target, name, key, both=True)
    for length in range(cipher.block_octets, 4 * cipher.block_octets + 1):
        pt = source.randbytes(length)
        ct = one_way(target, "cbc_cs3_encrypt", under, iv, pt)[1]
        assert ct == cs3_encrypt(cipher, key, iv, pt), length
        assert one_way(target, "cbc_cs3_decrypt", under, iv, ct)[1] == pt, length


@every_cipher
@pytest.mark.parametrize("offset", range(4))
def test_any_address_and_nothing_around_it(target: Target, name: str, offset: int) -> None:
    """A message at any address goes through both ways without a change to what lies around it or to
    the key."""
    cipher, source = CIPHERS[name], random.Random(offset)
    pt, iv = source.randbytes(2 * cipher.block_octets + 3), source.randbytes(cipher.block_octets)
    key = source.randbytes(cipher.key_octets)
    under = key_of(target, name, key, both=True)
    before = under.read()
    around = b"\x5a" * (16 + offset)
    place = target.buffer(around + pt + around)
    arguments = under, iv, place.address + len(around), len(pt)
    assert target.call("wm_cbc_cs3_encrypt", *arguments).value == OK
    assert place.read() == around + cs3_encrypt(cipher, key, iv, pt) + around
    assert target.call("wm_cbc_cs3_decrypt", *arguments).value == OK
    assert place.read() == around + pt + around
    assert under.read() == before


@every_cipher
def test_secrets_take_equal_time(emulated: EmulatedTarget, name: str) -> None:
    """Random keys and messages of one length give one cycle count and one trace of program
    counters, and over RC5, which looks up no table, one of addresses."""
    cipher, source = CIPHERS[name], random.Random(f"{name} time")
    b, iv = cipher.block_octets, bytes(cipher.block_octets)
    seen: dict[str, set[tuple[int | None, int, int]]] = {}
    for _ in range(EQUAL_TIME_RUNS):
        emulated.reset()
        under = key_of(emulated, name, source.randbytes(cipher.key_octets), both=True)
        pt = source.randbytes(2 * b + 3)
        outcomes = {"ctr": counter_mode(emulated, under, iv, [pt], trace="hash")[1][-1]}
        for function in ("cbc_encrypt", "cbc_decrypt", "cbc_cs3_encrypt", "cbc_cs3_decrypt"):
            data = pt if "cs3" in function else pt[: 2 * b]
            outcomes[function] = one_way(emulated, function, under, iv, data, trace="hash")[3]
        for function, outcome in outcomes.items():
            assert outcome.trace is not None
            addresses = outcome.trace.address_hash if name == "rc5" else 0
            seen.setdefault(function, set()).add((outcome.cycles, outcome.trace.pc_hash, addresses))
    assert {function: len(found) for function, found in seen.items()} == dict.fromkeys(seen, 1)
