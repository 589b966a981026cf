# SPDX-License-Identifier: BSD-3-Clause
"""CCM with a nonce of 11 octets: the same tags as OpenSSL's and as Linux expects, and what is
refused."""

from __future__ import annotations

from tests.stack import calls
from tests.stack.calls import OK, Ccm, Incremental, pieces
from tests.stack.mode.test_ccm import KEY
from tests.stack.oracle import seal_openssl
from tests.vectors import load, named
from wardmote.call import Target

HEADERS = ("aes128", "ccm", "ccm_l4")
NONCE = bytes(range(0x10, 0x1B))
SHAPES = ((0, 0, 8), (0, 1, 4), (8, 16, 8), (8, 33, 16), (14, 15, 12), (15, 300, 8), (300, 17, 16))
"""Octets of a, of m and of the tag."""


class IncrementalL4(Incremental):
    """One context, begun with such a nonce."""

    def start(self, nonce: bytes, a_len: int, m_len: int, tag_len: int, direction: int) -> int:
        """`wm_ccm_l4_start`."""
        args = (self.context, self.cipher, nonce, a_len, m_len, tag_len, direction)
        return self.target.call("wm_ccm_l4_start", *args).value


def test_both_ways(target: Target, variant: str) -> None:
    """Sealed in pieces as OpenSSL seals; opened with the right tag, and not with a wrong one."""
    for a_len, m_len, tag_len in SHAPES:
        a, m = bytes(range(256))[:a_len].ljust(a_len, b"a"), b"m" * m_len
        made = IncrementalL4(Ccm(target, variant, KEY))
        ct, tag = made.run(NONCE, pieces(a, (3, 20)), pieces(m, (1, 18)), tag_len)
        assert (ct, tag) == seal_openssl(KEY, NONCE, a, m, tag_len)
        for given, want in ((tag, OK), (bytes([tag[0] ^ 1]) + tag[1:], calls.ERR_SECURITY)):
            assert made.start(NONCE, a_len, m_len, tag_len, calls.OPEN) == OK
            assert made.aad(a) == OK
            assert made.crypt(ct) == (OK, m)
            assert made.open_finish(given) == want
            assert made.context == bytes(len(made.context))


def test_vectors(target: Target, variant: str) -> None:
    """Sealed and opened as each vector says."""
    for vector in load("ccm_l4"):
        with named(f"{vector}, {vector.comment}"):
            key, nonce, a, m, ct, tag = (
                vector.octets(name) for name in ("key", "nonce", "aad", "msg", "ct", "tag")
            )
            target.reset()
            made = IncrementalL4(Ccm(target, variant, key))
            assert made.run(nonce, [a], [m], len(tag)) == (ct, tag)
            assert made.start(nonce, len(a), len(m), len(tag), calls.OPEN) == OK
            assert [made.aad(a), made.crypt(ct), made.open_finish(tag)] == [OK, (OK, m), OK]


def test_refusals(target: Target) -> None:
    """Lengths out of range and a key that was not made; no octet is taken then."""
    made = IncrementalL4(Ccm(target, "tab", KEY))
    for a_len, m_len, tag_len in ((0, 0, 2), (0, 0, 5), (0, 0, 18), (65280, 0, 8), (1, 0, 0)):
        assert made.start(NONCE, a_len, m_len, tag_len, calls.SEAL) == calls.ERR_PARAM
        assert made.aad(b"a") == calls.ERR_STATE
    made.cipher = target.buffer(bytes(len(made.cipher.read())))
    assert made.start(NONCE, 0, 0, 8, calls.SEAL) == calls.ERR_STATE
