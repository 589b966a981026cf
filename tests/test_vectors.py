# SPDX-License-Identifier: BSD-3-Clause
"""The vectors themselves: what the files say is what PyCryptodome and OpenSSL compute, and the
generators repeat."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from Crypto.Cipher import AES
from Crypto.Hash import CMAC, HMAC, SHA1, SHA3_256, SHA256, BLAKE2s

from tests.stack import oracle
from tests.vectors import FOLDER, Vector, VectorError, load, of_each_file

CCM_VALID = load("ccm", "ccm", valid=True)
CCM_L4 = load("ccm_l4", "ccm", valid=True)


def block_pycryptodome(key: bytes, block: bytes) -> bytes:
    """One block."""
    return bytes(AES.new(key, AES.MODE_ECB).encrypt(block))


def seal_pycryptodome(
    key: bytes, nonce: bytes, a: bytes, m: bytes, tag_len: int
) -> tuple[bytes, bytes]:
    """Ciphertext and tag."""
    if tag_len == 0:
        counter = AES.new(key, AES.MODE_CTR, nonce=b"\x01" + nonce, initial_value=1)
        return bytes(counter.encrypt(m)), b""
    cipher = AES.new(key, AES.MODE_CCM, nonce=nonce, mac_len=tag_len)
    cipher.update(a)
    ct, tag = cipher.encrypt_and_digest(m)
    return bytes(ct), bytes(tag)


def opens_pycryptodome(key: bytes, nonce: bytes, a: bytes, ct: bytes, tag: bytes) -> bool:
    """Whether the tag is right."""
    cipher = AES.new(key, AES.MODE_CCM, nonce=nonce, mac_len=len(tag))
    cipher.update(a)
    try:
        cipher.decrypt_and_verify(ct, tag)
    except ValueError:
        return False
    return True


DIGESTS: dict[str, Callable[[bytes, bytes, int], bytes]] = {
    "sha1": lambda key, m, n: SHA1.new(m).digest()[:n],
    "sha256": lambda key, m, n: SHA256.new(m).digest()[:n],
    "sha3_256": lambda key, m, n: SHA3_256.new(m).digest()[:n],
    "blake2s": lambda key, m, n: BLAKE2s.new(data=m, key=key, digest_bytes=n).digest(),
    "hmac_sha1": lambda key, m, n: HMAC.new(key, m, SHA1).digest()[:n],
    "hmac_sha256": lambda key, m, n: HMAC.new(key, m, SHA256).digest()[:n],
    "cmac": lambda key, m, n: CMAC.new(key, m, AES).digest()[:n],
}
"""Who else computes a digest or tag of n octets."""


GENERATORS = sorted(path.stem for path in FOLDER.glob("generate_*.py"))


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_repeats_its_files(name: str) -> None:
    """Running a generator again gives every octet of the committed files. It refuses where its
    model does not give a printed value."""
    made = importlib.import_module(f"vectors.{name}").files()
    by_it = {
        path
        for path in FOLDER.glob("*/*.json")
        if f"made by vectors/{name}.py" in path.read_text("utf-8")
    }
    assert by_it
    assert {path.relative_to(FOLDER).as_posix() for path in by_it} <= set(made)
    for path, text in made.items():
        assert (FOLDER / path).read_text(encoding="utf-8") == text, path


@of_each_file(load("aes128", "block"))
def test_block_by_two_others(vectors: list[Vector]) -> None:
    """PyCryptodome and OpenSSL turn the plaintext into the vector's ciphertext."""
    for vector in vectors:
        key, block, want = (vector.octets(name) for name in ("key", "pt", "ct"))
        assert block_pycryptodome(key, block) == want, vector
        assert oracle.block_openssl(key, block) == want, vector


@pytest.mark.parametrize("folder", DIGESTS)
def test_digest_by_another(folder: str) -> None:
    """PyCryptodome gives the digest or the tag of each valid vector, with its key where there is
    one."""
    compute = DIGESTS[folder]
    for vector in load(folder, valid=True):
        if vector.type == "hash-repeated" or "cipher" in vector.parameters:
            continue
        key, want = (
            bytes.fromhex(vector.members.get("key", "")),
            vector.members.get("digest", vector.members.get("tag")),
        )
        assert compute(key, vector.octets("msg"), len(want) // 2).hex() == want, vector


@of_each_file(CCM_VALID + CCM_L4)
def test_frame_by_two_others(vectors: list[Vector]) -> None:
    """PyCryptodome and OpenSSL seal the message to the vector's ciphertext and tag."""
    for vector in vectors:
        key, nonce, a, m, ct, tag = (
            vector.octets(name) for name in ("key", "nonce", "aad", "msg", "ct", "tag")
        )
        assert seal_pycryptodome(key, nonce, a, m, len(tag)) == (ct, tag), vector
        assert oracle.seal_openssl(key, nonce, a, m, len(tag)) == (ct, tag), vector


@of_each_file(load("ccm", "ccm", valid=False))
def test_refusal_by_two_others(vectors: list[Vector]) -> None:
    """PyCryptodome and OpenSSL refuse what a vector calls invalid."""
    for vector in vectors:
        given = tuple(vector.octets(name) for name in ("key", "nonce", "aad", "ct", "tag"))
        assert not opens_pycryptodome(*given), vector
        assert not oracle.opens_openssl(*given), vector


def test_all_packet_vectors_of_rfc_3610_are_there() -> None:
    """RFC 3610 §8 has 24 packet vectors."""
    assert [v.comment for v in load("ccm/rfc3610.json")] == [
        f"Packet Vector #{n}" for n in range(1, 25)
    ]


def test_a_third_of_the_ccm_vectors_are_refusals() -> None:
    """Refusing is tested as much as accepting."""
    everything = load("ccm")
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)


def test_every_length_class_and_tag_length_is_there() -> None:
    """Empty, within a block, a whole block, across blocks and over 255 octets, of a and of m; every
    tag length."""

    def classes(member: str) -> set[tuple[bool, int, bool]]:
        lengths = {len(v.octets(member)) for v in CCM_VALID}
        return {(n > 0, min(n % 16, 2), n > 255) for n in lengths}

    assert {len(v.octets("tag")) for v in CCM_VALID} == {0, 4, 6, 8, 10, 12, 14, 16}
    both = {(False, 0, False), (True, 1, False), (True, 2, False), (True, 2, True)}
    assert classes("msg") >= both | {(True, 0, False)}
    assert classes("aad") >= both | {(True, 0, True)}


TEST: dict[str, Any] = {"tcId": 1, "comment": "", "key": "00", "result": "valid", "status": "WM_OK"}
SOURCE = {"name": "n", "clause": "c", "licence": "l", "provenance": "p"}


def document(**changes: Any) -> dict[str, Any]:
    """A file with one small test. Some of its members are replaced."""
    group = {"type": "block", "tests": [TEST | changes]}
    return {"algorithm": "AES-128", "source": SOURCE, "groups": [group]}


def test_a_file_of_the_format_is_read(tmp_path: Path) -> None:
    """The loader returns the contents of the file."""
    (tmp_path / "good.json").write_text(json.dumps(document(key="0aff", count=3)), encoding="utf-8")
    (vector,) = load("good.json", "block", folder=tmp_path)
    assert (vector.octets("key"), vector.number("count"), vector.status, vector.valid) == (
        b"\x0a\xff",
        3,
        0,
        True,
    )
    assert str(vector) == "good.json-tcId1"


@pytest.mark.parametrize(
    ("bad", "rule"),
    [
        (document(key="0A"), "lower-case"),
        (document(key="0"), "lower-case"),
        (document(count=-1), "non-negative"),
        (document(count=1.5), "non-negative"),
        (document(calls=[{"call": "aad", "data": "xy"}]), "lower-case"),
        (document(status="WM_ERR_NONE"), "unknown status"),
        (document(status="WM_ERR_PARAM"), "valid means"),
        (document(result="maybe"), "valid or invalid"),
        (document(tcId=0), "positive"),
        (document() | {"source": SOURCE | {"licence": ""}}, "source says"),
        (document() | {"notes": []}, "members are"),
        (document() | {"groups": []}, "positive"),
        (document() | {"groups": [{"tests": [TEST]}]}, "type, tests"),
        (document() | {"groups": [{"type": "block", "tests": [TEST, TEST]}]}, "unique"),
    ],
)
def test_a_file_not_of_the_format_is_refused(
    tmp_path: Path, bad: dict[str, Any], rule: str
) -> None:
    """Each rule of the format is enforced, in one line that names it."""
    (tmp_path / "bad.json").write_text(json.dumps(bad), encoding="utf-8")
    with pytest.raises(VectorError, match=rule):
        load("bad.json", folder=tmp_path)


def test_nothing_found_is_an_error(tmp_path: Path) -> None:
    """Asking for vectors that are not there is never a passed test."""
    with pytest.raises(VectorError, match="nothing of type"):
        load("ccm", "block")
    with pytest.raises(VectorError, match="No such file"):
        load("missing.json", folder=tmp_path)
