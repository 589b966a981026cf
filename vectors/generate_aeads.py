# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{eax,ocb3}/*.json: EAX and OCB3 with AES-128, computed by PyCryptodome.

Printed values are written out below and compared with PyCryptodome's. Inputs come from SHAKE-128 of a label, so that
every run writes the same octets. Run from the root of the repository: `python -m vectors.generate_aeads`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from Crypto.Cipher import AES

from vectors.generate_ciphers import flipped, octets

FOLDER = Path(__file__).resolve().parent
Test = dict[str, Any]

MODES = {
    "eax": ("EAX-AES-128", "Bellare, Rogaway, Wagner, FSE 2004", (16, 13, 12, 8, 1, 17, 40)),
    "ocb3": ("OCB3-AES-128", "RFC 7253 §4", (12, 15, 13, 8, 1)),
}
"""Folder: name, clause, lengths of nonces."""
BAD_TAGS = (0, 1, 2, 3, 17, 18, 32, 128, 255)
REFUSED = ((0, 0), (0, 1), (0, 16), (16, 0), (8, 17), (35, 86))
K7253 = bytes(range(16)).hex()

PRINTED = {
    "eax/bellare.json": (
        ("Bellare, Rogaway, Wagner, The EAX mode of operation", "Appendix, test vectors"),
        (
            (
                "233952dee4d5ed5f9b9c6d6ff80ff478",
                "62ec67f9c3a4a407fcb2a8c49031a8b3",
                "6bfb914fd07eae6b",
                "",
                "e037830e8389f27b025a2d6527e79d01",
            ),
            (
                "91945d3f4dcbee0bf45ef52255f095a4",
                "becaf043b0a23d843194ba972c66debd",
                "fa3bfd4806eb53fa",
                "f7fb",
                "19dd5c4c9331049d0bdab0277408f67967e5",
            ),
            (
                "8395fcf1e95bebd697bd010bc766aac3",
                "22e7add93cfc6393c57ec0b3c17d6b44",
                "126735fcc320d25a",
                "ca40d7446e545ffaed3bd12a740a659ffbbb3ceab7",
                "cb8920f87a6c75cff39627b56e3ed197c552d295a7cfc46afc253b4652b1af3795b124ab6e",
            ),
        ),
    ),
    "ocb3/rfc7253.json": (
        ("RFC 7253", "Appendix A"),
        (
            (K7253, "bbaa99887766554433221100", "", "", "785407bfffc8ad9edcc5520ac9111ee6"),
            (
                K7253,
                "bbaa99887766554433221101",
                bytes(range(8)).hex(),
                bytes(range(8)).hex(),
                "6820b3657b6f615a5725bda0d3b4eb3a257c9af1f8f03009",
            ),
            (K7253, "bbaa99887766554433221102", bytes(range(8)).hex(), "", "81017f8203f081277152fade694a0a00"),
            (
                K7253,
                "bbaa99887766554433221103",
                "",
                bytes(range(8)).hex(),
                "45dd69f8f5aae72414054cd1f35d82760b2cd00d2f99bfa9",
            ),
            (
                K7253,
                "bbaa99887766554433221104",
                bytes(range(16)).hex(),
                bytes(range(16)).hex(),
                "571d535b60b277188be5147170a9a22c3ad7a4ff3835b8c5701c1ccec8fc3358",
            ),
            (K7253, "bbaa99887766554433221105", bytes(range(16)).hex(), "", "8cf761b6902ef764462ad86498ca6b97"),
            (
                K7253,
                "bbaa99887766554433221106",
                "",
                bytes(range(16)).hex(),
                "5ce88ec2e0692706a915c00aeb8b2396f40e1c743f52436bdf06d8fa1eca343d",
            ),
            (
                K7253,
                "bbaa9988776655443322110d",
                bytes(range(40)).hex(),
                bytes(range(40)).hex(),
                "d5ca91748410c1751ff8a2f618255b68a0a12e093ff454606e59f9c1d0ddc54b65e8628e568bad7aed07ba06a4a69483a7035490"
                "c5769e60",
            ),
            (
                bytes(range(15, -1, -1)).hex(),
                "bbaa9988776655443322110d",
                bytes(range(40)).hex(),
                bytes(range(40)).hex(),
                "1792a4e31e0755fb03e31b22116e6c2ddf9efd6e33d536f1a0124b0a55bae884ed93481529c76b6ad0c515f4d1cdd4fdac4f02aa",
            ),
        ),
    ),
}
"""Path: name and clause of the source; key, nonce, a, m, and ciphertext with tag, of each."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """One sealed message and what made it."""

    key: bytes
    nonce: bytes
    aad: bytes
    ct: bytes
    tag: bytes

    def members(self) -> Test:
        """The members of a vector."""
        return {name: getattr(self, name).hex() for name in ("key", "nonce", "aad", "ct", "tag")}


def seal(folder: str, key: bytes, nonce: bytes, aad: bytes, msg: bytes, tag_len: int) -> Sealed:
    """A message sealed by PyCryptodome."""
    if folder == "eax":
        eax = AES.new(key, AES.MODE_EAX, nonce=nonce, mac_len=tag_len)
        eax.update(aad)
        ct, tag = eax.encrypt_and_digest(msg)
    else:
        ocb = AES.new(key, AES.MODE_OCB, nonce=nonce, mac_len=tag_len)
        ocb.update(aad)
        ct, tag = ocb.encrypt_and_digest(msg)
    return Sealed(key, nonce, aad, bytes(ct), bytes(tag))


def opens(folder: str, whole: Sealed) -> bool:
    """Whether PyCryptodome accepts a message."""
    try:
        if folder == "eax":
            eax = AES.new(whole.key, AES.MODE_EAX, nonce=whole.nonce, mac_len=len(whole.tag))
            eax.update(whole.aad)
            eax.decrypt_and_verify(whole.ct, whole.tag)
        else:
            ocb = AES.new(whole.key, AES.MODE_OCB, nonce=whole.nonce, mac_len=len(whole.tag))
            ocb.update(whole.aad)
            ocb.decrypt_and_verify(whole.ct, whole.tag)
    except ValueError:
        return False
    return True


def sealed(folder: str, number: int, a_len: int, m_len: int) -> tuple[bytes, Sealed]:
    """Message `number` of the given lengths; lengths of nonces and tags go round."""
    nonces = MODES[folder][2]
    key, nonce = octets(f"{folder} key {number}", 16), octets(f"{folder} nonce {number}", nonces[number % len(nonces)])
    aad, msg = octets(f"{folder} a {number}", a_len), octets(f"{folder} m {number}", m_len)
    tag_len = 16 if number % 2 else (8, 12, 10, 15, 14)[number // 2 % 5]
    return msg, seal(folder, key, nonce, aad, msg, tag_len)


def cases(folder: str) -> Iterator[Test]:
    """Every accepted message: every length of m, then of a; nonces whose last octet counts; many blocks."""
    lengths = [(number * 7 % 41, m_len) for number, m_len in enumerate(range(82))]
    lengths += [(a_len, 5) for a_len in range(70)]
    lengths += [(0, 256), (256, 0), (300, 300), (5, 1040)]
    for number, (a_len, m_len) in enumerate(lengths):
        msg, whole = sealed(folder, number, a_len, m_len)
        here = f"a {a_len}, m {m_len}, nonce {len(whole.nonce)}, tag {len(whole.tag)}"
        yield {"comment": here, **whole.members(), "msg": msg.hex()} | VALID
    for last in range(64):
        key, nonce = octets(f"{folder} key", 16), octets(f"{folder} nonce", 11) + bytes([last])
        whole = seal(folder, key, nonce, b"a", b"message", 16)
        yield {"comment": f"last octet of the nonce {last}", **whole.members(), "msg": b"message".hex()} | VALID


VALID = {"result": "valid", "status": "WM_OK"}


def damaged(whole: Sealed) -> Iterator[tuple[str, Sealed]]:
    """One thing changed."""
    for octet in range(0, len(whole.tag), 4):
        yield f"tag: octet {octet}", replace(whole, tag=flipped(whole.tag, 8 * octet + octet % 8))
    yield "tag: last bit", replace(whole, tag=flipped(whole.tag, 8 * len(whole.tag) - 1))
    yield "tag: zero", replace(whole, tag=bytes(len(whole.tag)))
    yield "key: last bit", replace(whole, key=flipped(whole.key, 127))
    yield "nonce: first bit", replace(whole, nonce=flipped(whole.nonce, 0))
    yield "nonce: last bit", replace(whole, nonce=flipped(whole.nonce, 8 * len(whole.nonce) - 1))
    if whole.aad:
        yield "a: last bit", replace(whole, aad=flipped(whole.aad, 8 * len(whole.aad) - 1))
        yield "a: last octet missing", replace(whole, aad=whole.aad[:-1])
    if whole.ct:
        yield "ciphertext: first bit", replace(whole, ct=flipped(whole.ct, 0))
        yield "ciphertext: last bit", replace(whole, ct=flipped(whole.ct, 8 * len(whole.ct) - 1))
        yield "ciphertext: last octet missing", replace(whole, ct=whole.ct[:-1])
    yield "ciphertext: one octet more", replace(whole, ct=whole.ct + b"\0")


def refusals(folder: str) -> Iterator[Test]:
    """Every damaged message; each is refused by PyCryptodome as well."""
    for number, (a_len, m_len) in enumerate(REFUSED * 2):
        for comment, bad in damaged(sealed(folder, 1000 + number, a_len, m_len)[1]):
            if opens(folder, bad):
                raise ValueError(f"{folder}: not refused: {comment}, of a {a_len}, m {m_len}")
            here = {"comment": f"{comment}, of a {a_len}, m {m_len}, tag {len(bad.tag)}", **bad.members()}
            yield here | {"result": "invalid", "status": "WM_ERR_SECURITY"}


def bad_lengths(folder: str) -> Iterator[Test]:
    """Lengths of nonces and tags that sealing and opening must refuse."""
    wrong = [(12, tag_len) for tag_len in BAD_TAGS]
    if folder == "ocb3":
        wrong += [(nonce_len, 16) for nonce_len in (0, 16, 17, 255)]
    for nonce_len, tag_len in wrong:
        here = {"comment": f"nonce {nonce_len}, tag {tag_len}", "nonceLen": nonce_len, "tagLen": tag_len}
        yield here | {"result": "invalid", "status": "WM_ERR_PARAM"}


def text(folder: str, source: tuple[str, str, str, str], groups: dict[str, list[Test]]) -> str:
    """A whole file; its tests are numbered through."""
    number, out = 0, []
    for type_, tests in groups.items():
        out.append({"type": type_, "tests": [{"tcId": number + i, **test} for i, test in enumerate(tests, start=1)]})
        number += len(tests)
    said = dict(zip(("name", "clause", "licence", "provenance"), source, strict=True))
    return (
        json.dumps({"algorithm": MODES[folder][0], "source": said, "groups": out}, indent=1, ensure_ascii=False) + "\n"
    )


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = {}
    for path, ((publication, clause), printed) in PRINTED.items():
        folder, tests = path.split("/")[0], []
        for number, case in enumerate(printed, start=1):
            key, nonce, aad, msg, both = (bytes.fromhex(value) for value in case)
            whole = seal(folder, key, nonce, aad, msg, len(both) - len(msg))
            if whole.ct + whole.tag != both:
                raise ValueError(f"{path}: PyCryptodome does not give printed value {number}")
            tests.append({"comment": f"value {number}", **whole.members(), "msg": msg.hex()} | VALID)
        source = (publication, clause, "facts of a publication", "values as printed; recomputed by PyCryptodome")
        made[path] = text(folder, source, {"aead": tests})
    for folder, (_, clause, *_) in MODES.items():
        source = ("PyCryptodome", clause, "BSD-3-Clause", "made by vectors/generate_aeads.py")
        groups = {"aead": [*cases(folder), *refusals(folder)], "aead-lengths": list(bad_lengths(folder))}
        made[f"{folder}/generated.json"] = text(folder, source, groups)
    return made


def main() -> None:
    """Writes the files."""
    for name, content in files().items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
