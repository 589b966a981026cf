# SPDX-License-Identifier: BSD-3-Clause
"""CCM* in its two parts gives what CCM gives, however a frame is cut; refusals."""

from __future__ import annotations

import random

import pytest

from tests.stack.conftest import fresh
from tests.stack.oracle import seal_openssl
from tests.vectors import statuses
from wardmote.call import Target

HEADERS = ("aes128", "ccm_parts")
KEY = bytes(range(0x40, 0x50))
NONCE = bytes(range(0x10, 0x1D))
CASES = [
    (0, 0),
    (0, 1),
    (1, 0),
    (13, 16),
    (14, 17),
    (15, 0),
    (23, 98),
    (30, 33),
    (35, 86),
    (121, 0),
]
"""Octets of a and m: the edges of blocks, and frames of 127 octets."""


@pytest.fixture(params=("host", "msp430", "avr", "armv7m"))
def target(request: pytest.FixtureRequest) -> Target:
    """Every CPU."""
    return next(iter(fresh(request.param, HEADERS)))


class Parts:
    """Both parts under one key."""

    def __init__(self, target: Target, key: bytes = KEY) -> None:
        """Makes the key."""
        self.target = target
        self.key = target.pack("wm_aes128_tab_key")
        target.call("wm_aes128_tab_init", self.key, key)

    def keystream(self, nonce: bytes, number: int) -> tuple[int, bytes]:
        """Status and S_number."""
        block = self.target.pack("wm_block128")
        status = self.target.call("wm_ccm_keystream", self.key, nonce, number, block).value
        return status, bytes(block)

    def mac(self, nonce: bytes, a: bytes, m: bytes, tag_len: int, rng: random.Random) -> bytes:
        """The CBC-MAC, of octets in random pieces."""
        context = self.target.pack("wm_ccm_mac")
        call = self.target.call
        call("wm_ccm_mac_start", context, nonce, len(a), len(m), tag_len)
        octets, at = a + m, 0
        while True:
            assert call("wm_ccm_mac_step", context, self.key).value == statuses()["WM_OK"]
            if at == len(octets):
                break
            most = min(rng.randint(1, 20), len(octets) - at)
            taken = call("wm_ccm_mac_take", context, octets[at : at + most], most).value
            assert 0 < taken <= most
            at += taken
        return bytes(context)[:16]


@pytest.mark.parametrize("tag_len", [4, 8, 16])
def test_both_parts_give_ccm(target: Target, tag_len: int) -> None:
    """Ciphertext and tag are those of OpenSSL."""
    parts, rng = Parts(target), random.Random(tag_len)
    for a_len, m_len in CASES:
        a, m = rng.randbytes(a_len), rng.randbytes(m_len)
        blocks = [parts.keystream(NONCE, n)[1] for n in range(1 + (m_len + 15) // 16)]
        stream = b"".join(blocks[1:])
        sealed = bytes(x ^ y for x, y in zip(m, stream, strict=False))
        mac = parts.mac(NONCE, a, m, tag_len, rng)
        tag = bytes(x ^ y for x, y in zip(mac, blocks[0], strict=True))[:tag_len]
        assert (sealed, tag) == seal_openssl(KEY, NONCE, a, m, tag_len), (a_len, m_len)


def test_what_is_refused(target: Target) -> None:
    """A key that was not made; octets that are too many, and octets before B_0 is encrypted."""
    parts = Parts(target)
    parts.key = target.pack("wm_aes128_tab_key")
    assert parts.keystream(NONCE, 1) == (statuses()["WM_ERR_STATE"], bytes(16))
    context = target.pack("wm_ccm_mac")
    target.call("wm_ccm_mac_start", context, NONCE, 3, 2, 4)
    assert target.call("wm_ccm_mac_take", context, b"abc", 3).value == 0, "B_0 waits"
    assert target.call("wm_ccm_mac_step", context, parts.key).value == statuses()["WM_ERR_STATE"]
    parts = Parts(target)
    assert target.call("wm_ccm_mac_step", context, parts.key).value == statuses()["WM_OK"]
    assert target.call("wm_ccm_mac_take", context, bytes(9), 9).value == 3, "a has 3 octets"
    assert target.call("wm_ccm_mac_take", context, bytes(9), 9).value == 0, "its block waits"
    assert target.call("wm_ccm_mac_step", context, parts.key).value == statuses()["WM_OK"]
    assert target.call("wm_ccm_mac_take", context, bytes(9), 9).value == 2, "m has 2 octets"
    assert target.call("wm_ccm_mac_step", context, parts.key).value == statuses()["WM_OK"]
    assert target.call("wm_ccm_mac_take", context, bytes(9), 9).value == 0, "there is no more"
