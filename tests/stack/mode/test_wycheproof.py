# SPDX-License-Identifier: BSD-3-Clause
"""Project Wycheproof's sets for what the stack has: the host takes every case, an emulated target
some of each set.

The rule: a valid case must give its ciphertext or tag and be accepted, an invalid one must be
refused with nothing of its message released, and one that is called acceptable may be either; the
pinned sets have none of those. Left out is only what a function of the stack cannot be told: a key
that is not of its size, and for CCM* a nonce that is not of 13 octets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import wycheproof
from tests.stack.calls import ERR_PARAM, ERR_SECURITY, OK, Ccm, bound
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.mode import macs
from tests.stack.mode.macs import MACS
from tests.stack.mode.test_ascon_aead128 import aead_of
from tests.stack.mode.test_eax_ocb3 import Aead
from tests.wycheproof import SETS, Case, cases
from wardmote.call import Target
from wardmote.errors import UsageError

HEADERS = (*macs.HEADERS, "ccm", "cbc", "eax", "ascon_aead128")

EMULATED_STRIDE = 7
"""Of how many cases an emulated target takes one."""
COUNTS = {
    "aes_cbc_pkcs5": {"valid": 24, "invalid": 48},
    "aes_ccm": {"valid": 6},
    "aes_cmac": {"valid": 21, "invalid": 81},
    "aes_eax": {"valid": 65, "invalid": 27},
    "ascon_aead128": {"valid": 128, "invalid": 124},
    "hmac_sha1": {"valid": 66, "invalid": 104},
    "hmac_sha256": {"valid": 66, "invalid": 108},
}
"""What there is to check in each pinned set. Of CCM it has six cases with a nonce of 13 octets, and
no refusal."""
CCM_NONCE = 13


def can_be_told(case: Case) -> bool:
    """Whether the functions of the stack take such a key and nonce at all."""
    if case.set == "aes_ccm" and case.members["ivSize"] != 8 * CCM_NONCE:
        return False
    return case.set.startswith("hmac") or case.members["keySize"] == 128


def mac(target: Target, case: Case) -> bool:
    """Whether the tag is accepted; if so, it must be what is computed."""
    code = next(code for code in MACS if code.name == case.set.removeprefix("aes_"))
    context = code.context(target, case.octets("key"), [case.octets("msg")])
    tag = case.octets("tag")
    status = code.verify(target, bytearray(context), tag)
    assert status in (OK, ERR_SECURITY), case
    assert (code.final(target, context, len(tag)) == (OK, tag)) == (status == OK), case
    return status == OK


def aead_members(case: Case) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Nonce, associated data, message, ciphertext and tag."""
    nonce, a, m, ct, tag = (case.octets(name) for name in ("iv", "aad", "msg", "ct", "tag"))
    return nonce, a, m, ct, tag


def accepted(case: Case, status: int, left: bytes, sealed: tuple[int, bytes, bytes]) -> bool:
    """Whether opening accepted; if so, it must have given the message, and sealing ciphertext and
    tag; if not, nothing of the message may be left."""
    _, _, m, ct, tag = aead_members(case)
    if status == OK:
        assert left == m, case
        assert sealed == (OK, ct, tag), case
        return True
    assert status in (ERR_SECURITY, ERR_PARAM), case
    assert left == (bytes(len(ct)) if status == ERR_SECURITY else ct), case
    return False


def ccm(target: Target, case: Case) -> bool:
    """CCM*, by the variant of AES without tables."""
    nonce, a, m, ct, tag = aead_members(case)
    mode = Ccm(target, "small", case.octets("key"))
    opened, sealed = mode.open(nonce, a, ct, tag), mode.seal(nonce, a, m, len(tag))
    return accepted(case, opened.status, opened.m, (sealed.status, sealed.m, sealed.tag))


def eax(target: Target, case: Case) -> bool:
    """EAX."""
    nonce, a, m, ct, tag = aead_members(case)
    mode = Aead.under("eax", target, case.octets("key"))
    status, left, _ = mode.open(nonce, a, ct, tag)
    return accepted(case, status, left, mode.seal(nonce, a, m, len(tag))[:3])


def ascon(target: Target, case: Case) -> bool:
    """Ascon-AEAD128."""
    nonce, a, m, ct, tag = aead_members(case)
    mode = aead_of(target, case.octets("key"), nonce)
    left, outcome = mode.open(a, ct, tag)
    return accepted(case, outcome.value, left, (OK, *mode.seal(a, m)[:2]))


def unpadded(octets: bytes) -> bytes | None:
    """Without the padding of PKCS #7 for blocks of 16 octets, or None if it has none."""
    count = octets[-1] if octets else 0
    return octets[:-count] if 1 <= count <= 16 and octets.endswith(bytes([count]) * count) else None


def cbc(target: Target, case: Case) -> bool:
    """CBC. Padding is whoever calls it to add and to check, here this test: a ciphertext is
    accepted if it is whole blocks and ends in padding."""
    key = bound(target, "aes128_tab", case.octets("key"), both=True)
    iv, ct = case.octets("iv"), case.octets("ct")
    octets = bytearray(ct)
    status = target.call("wm_cbc_decrypt", key, bytearray(iv), octets, len(octets)).value
    assert status == (ERR_PARAM if len(ct) % 16 else OK), case
    m = unpadded(bytes(octets)) if status == OK else None
    if m is None:
        return False
    assert m == case.octets("msg"), case
    count = 16 - len(m) % 16
    octets = bytearray(m + bytes([count]) * count)
    assert target.call("wm_cbc_encrypt", key, bytearray(iv), octets, len(octets)).value == OK
    assert octets == ct, case
    return True


CHECKS: dict[str, Callable[[Target, Case], bool]] = {
    "aes_cbc_pkcs5": cbc,
    "aes_ccm": ccm,
    "aes_eax": eax,
    "ascon_aead128": ascon,
}
"""Else `mac`."""


@pytest.mark.parametrize("name", SETS)
def test_sets_are_whole(name: str) -> None:
    """As many cases of each result as the pinned set is known to have for us, none of them
    acceptable."""
    assert Counter(case.result for case in cases(name) if can_be_told(case)) == COUNTS[name]


def test_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be fetched ends the program with one line."""

    def refuse(*_: object) -> None:
        raise UsageError("no network")

    monkeypatch.setattr(wycheproof, "fetch", refuse)
    with pytest.raises(SystemExit, match=r"^wycheproof: no network$"):
        wycheproof.main()


def test_document_says_how_many(root: Path) -> None:
    """The table of the document has these counts, of every set and of no other."""
    text = (root / "docs/how-was-it-tested.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    assert rows == [
        (name, str(of.get("valid", 0)), str(of.get("invalid", 0))) for name, of in COUNTS.items()
    ]


@pytest.mark.parametrize("place", DIFFERENT)
@pytest.mark.parametrize("name", SETS)
def test_every_case(name: str, place: str) -> None:
    """The stack accepts what is valid and refuses what is invalid."""
    target = target_named(place, *HEADERS)
    taken = [case for case in cases(name) if can_be_told(case)][
        :: 1 if place == "host" else EMULATED_STRIDE
    ]
    assert {case.result for case in taken} == set(COUNTS[name])
    for case in taken:
        target.reset()
        assert CHECKS.get(name, mac)(target, case) == (case.result == "valid"), case
