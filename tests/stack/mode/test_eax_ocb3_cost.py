# SPDX-License-Identifier: BSD-3-Clause
"""EAX and OCB3 on the emulated CPUs: cycles over Curupira-2 beside the paper's, and what a message,
refused or not, leaves in memory."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest

from tests.model.block_modes_model import CIPHERS
from tests.model.sized_modes_model import cmac, double
from tests.stack.calls import ERR_SECURITY, OK
from tests.stack.conftest import EMULATED, target_named
from tests.stack.mode import block_ciphers
from tests.stack.mode.test_curupira_cost import RAM, cycles
from tests.stack.mode.test_eax_ocb3 import KEY, OPEN, OVER, SEAL, Aead, Incremental
from wardmote.call import EmulatedTarget

HEADERS = (*block_ciphers.HEADERS, "eax", "ocb3", "cmac")

PRINTED = {"eax": "eax", "ocb3": "ocb"}
"""Mode, and its name in the paper."""


def init_cycles(target: EmulatedTarget, mode: str) -> int:
    """Of what comes before a message: the cipher's key, the mode's, and its start."""
    key = target.pack("wm_curupira2_key")
    done = [target.call("wm_curupira2_init_both", key, KEY[:12])]
    derive, form = (
        ("wm_cmac_derive", "wm_cmac_key") if mode == "eax" else ("wm_ocb3_derive", "wm_ocb3_key")
    )
    derived, context = target.pack(form), target.pack(f"wm_{mode}")
    done.append(target.call(derive, derived, target.buffer(key)))
    aead = Aead.over(mode, target, KEY, "curupira2")
    announced = () if mode == "eax" else (12,)
    rest = (aead.nonce, len(aead.nonce), *announced, SEAL)
    done.append(target.call(f"wm_{mode}_start", context, target.buffer(derived), *rest))
    return cycles(*done)


@pytest.mark.parametrize("mode", PRINTED)
def test_half_the_time_of_the_paper(root: Path, mode: str) -> None:
    """On the MSP430 at 8 MHz each operation over Curupira-2 takes at most half the time that the
    paper printed for a TelosB."""
    with (root / "published/primitives.toml").open("rb") as file:
        printed = tomllib.load(file)["telosb"]
    target = target_named("msp430", *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    rows = [(init_cycles(target, mode), printed["aead_init_ms"][PRINTED[mode]])]
    aead = Aead.over(mode, target, KEY, "curupira2")
    for table, with_a in (("aead_encrypt_no_ad_ms", 0), ("aead_encrypt_ad_equals_data_ms", 1)):
        for length, ms in zip(printed[table]["D"], printed[table][PRINTED[mode]], strict=True):
            status, _, _, outcome = aead.seal(aead.nonce, bytes(with_a * length), bytes(length), 12)
            assert status == OK
            rows.append((cycles(outcome), ms))
    assert len(rows) == 11
    assert [row for row in rows if row[0] / 8_000 > row[1] / 2] == []


@pytest.mark.parametrize("name", EMULATED)
@pytest.mark.parametrize(("mode", "cipher"), OVER)
def test_refused_plaintext_is_nowhere(name: str, mode: str, cipher: str) -> None:
    """After a wrong tag no eight octets of plaintext stand anywhere in RAM, stack included; after a
    right one all."""
    host = target_named("host")
    host.reset()
    a, m = (
        bytes(35),
        random.Random(f"{name} {mode} {cipher}").randbytes(48),
    )  # no test before left these octets
    sealing = Aead.over(mode, host, KEY, cipher)
    nonce, b = sealing.nonce, sealing.block_octets
    _, ct, tag, _ = sealing.seal(nonce, a, m, b)
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    begin, end = RAM[name.split("-")[0]]
    for given, status in ((bytes(b), ERR_SECURITY), (tag, OK)):
        got = Aead.over(mode, target, KEY, cipher).open(nonce, a, ct, given)
        assert got[:2] == (status, m if status == OK else bytes(len(m)))
        memory = target.read(begin, end - begin)
        assert [m[at : at + 8] in memory for at in range(0, 48, 8)] == [status == OK] * 6


def passing_secrets(mode: str, cipher: str, key: bytes, nonce: bytes) -> dict[str, bytes]:
    """What a mode makes of its key and a nonce, and no structure of the caller's holds."""
    under = CIPHERS[cipher]
    key, b = key[: under.key_octets], under.block_octets
    twice = double(double(under.encrypt(key, bytes(b))))
    if mode == "eax":
        first = cmac(under, key, bytes(b) + nonce)
        return {"K2": twice, "counter": first, "keystream": under.encrypt(key, first)}
    block = bytearray((b"\1" + nonce).rjust(b, b"\0"))
    block[-1] &= 0xC0
    return {
        "L_1": double(twice),
        "L_2": double(double(twice)),
        "Ktop": under.encrypt(key, bytes(block)),
    }


@pytest.mark.parametrize("name", EMULATED)
@pytest.mark.parametrize(("mode", "cipher"), OVER)
def test_secrets_of_a_message_are_nowhere_afterwards(name: str, mode: str, cipher: str) -> None:
    """Subkeys, counters, keystream and Ktop of a message that was sealed or opened stand nowhere in
    RAM; nor do those that no context keeps after any call on the way."""
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    source = random.Random(f"{name} {mode} {cipher} secrets")
    key = source.randbytes(16)
    aead = Aead.over(mode, target, key, cipher)
    a, m, b = bytes(19), source.randbytes(53), aead.block_octets
    secrets = passing_secrets(mode, cipher, key, aead.nonce)
    begin, end = RAM[name.split("-")[0]]

    def found() -> set[str]:
        memory = target.read(begin, end - begin)
        return {
            what
            for what, octets in secrets.items()
            if octets[:8] in memory or octets[-8:] in memory
        }

    kept = {"counter", "keystream"}
    context = Incremental(aead, SEAL)
    assert found() <= kept
    for call, octets in (("aad", a), ("aad", b""), ("crypt", m)):
        context.call(call, octets)
        assert found() <= kept, call
    context.finish("seal_finish", bytes(b))
    assert found() <= kept
    target.reset()
    aead = Aead.over(mode, target, key, cipher)
    status, ct, tag, _ = aead.seal(aead.nonce, a, m, b)
    assert (status, found()) == (OK, set())
    assert aead.open(aead.nonce, a, ct, tag)[0] == OK
    assert found() == set()


@pytest.mark.parametrize("name", EMULATED)
@pytest.mark.parametrize(("mode", "cipher"), OVER)
def test_plaintext_stands_in_its_place_only(name: str, mode: str, cipher: str) -> None:
    """After a message in pieces was opened, and before its tag is known to be right, its plaintext
    is where the caller has it and in no copy."""
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    aead = Aead.over(mode, target, KEY, cipher)
    b = aead.block_octets
    m = random.Random(f"{name} {mode} {cipher} once").randbytes(3 * b)
    ct = aead.seal(aead.nonce, b"", m, b)[1]
    target.reset()
    context = Incremental(Aead.over(mode, target, KEY, cipher), OPEN)
    assert context.call("crypt", ct) == (OK, m)
    begin, end = RAM[name.split("-")[0]]
    memory = target.read(begin, end - begin)
    assert [memory.count(m[at : at + 4]) for at in range(0, 3 * b, 4)] == [1] * (3 * b // 4)
