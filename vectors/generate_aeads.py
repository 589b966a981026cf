# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{eax,ocb3}/*.json: EAX and OCB3 with AES-128, computed by PyCryptodome, and over
ciphers with shorter blocks, computed by tests/model/sized_modes_model.py.

Printed values are written out below and compared with PyCryptodome's, and so is the model over AES.
Inputs come from SHAKE-128 of a label, so that every run writes the same octets. Run from the root
of the repository: `python -m vectors.generate_aeads`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from Crypto.Cipher import AES

from tests.model.block_modes_model import CIPHERS
from tests.model.sized_modes_model import eax_seal, ocb3_crypt
from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, printed, text, write
from vectors.sealed import PARAM, Sealed, damaged_data

MODES = {
    "eax": ("EAX-AES-128", "Bellare, Rogaway, Wagner, FSE 2004", (16, 13, 12, 8, 1, 17, 40)),
    "ocb3": ("OCB3-AES-128", "RFC 7253 §4", (12, 15, 13, 8, 1)),
}
"""Folder: name, clause, lengths of nonces."""
BAD_TAGS = (0, 1, 2, 3, 17, 18, 32, 128, 255)
REFUSED = ((0, 0), (0, 1), (0, 16), (16, 0), (8, 17), (35, 86))
REFUSED_OVER = ((0, 0), (0, 12), (8, 0), (5, 17))
OVER = {
    "eax": ("skipjack", "rc5", "curupira1_96", "curupira2"),
    "ocb3": ("curupira1_96", "curupira2"),
}
"""Ciphers with shorter blocks."""
K7253 = bytes(range(16)).hex()


def rfc7253(number: int, a_octets: int, m_octets: int, sealed: str) -> tuple[str, ...]:
    """A row of the appendix: key, nonce, a and m, which count from 0, and ciphertext with tag."""
    a, m = bytes(range(a_octets)).hex(), bytes(range(m_octets)).hex()
    return K7253, f"bbaa998877665544332211{number:02x}", a, m, sealed


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
            rfc7253(0x00, 0, 0, "785407bfffc8ad9edcc5520ac9111ee6"),
            rfc7253(0x01, 8, 8, "6820b3657b6f615a5725bda0d3b4eb3a257c9af1f8f03009"),
            rfc7253(0x02, 8, 0, "81017f8203f081277152fade694a0a00"),
            rfc7253(0x03, 0, 8, "45dd69f8f5aae72414054cd1f35d82760b2cd00d2f99bfa9"),
            rfc7253(
                0x04, 16, 16, "571d535b60b277188be5147170a9a22c3ad7a4ff3835b8c5701c1ccec8fc3358"
            ),
            rfc7253(0x05, 16, 0, "8cf761b6902ef764462ad86498ca6b97"),
            rfc7253(
                0x06, 0, 16, "5ce88ec2e0692706a915c00aeb8b2396f40e1c743f52436bdf06d8fa1eca343d"
            ),
            rfc7253(
                0x0D,
                40,
                40,
                "d5ca91748410c1751ff8a2f618255b68a0a12e093ff454606e59f9c1d0ddc54b65e8628e568bad7a"
                "ed07ba06a4a69483a7035490c5769e60",
            ),
            (
                bytes(range(15, -1, -1)).hex(),
                "bbaa9988776655443322110d",
                bytes(range(40)).hex(),
                bytes(range(40)).hex(),
                "1792a4e31e0755fb03e31b22116e6c2ddf9efd6e33d536f1a0124b0a55bae884ed93481529c76b6a"
                "d0c515f4d1cdd4fdac4f02aa",
            ),
        ),
    ),
}
"""Path: name and clause of the source; key, nonce, a, m, and ciphertext with tag, of each."""


@dataclass(frozen=True, slots=True)
class Message(Sealed):
    """A sealed message that knows its cipher."""

    cipher: str = "aes128"


def by_model(
    folder: str, cipher: str, whole: Message, octets_in: bytes, *, opens: bool
) -> tuple[bytes, bytes]:
    """What the model makes of the message, and the tag it gives."""
    under, tag_len = CIPHERS[cipher], len(whole.tag)
    if folder == "ocb3":
        return ocb3_crypt(under, whole.key, whole.nonce, whole.aad, octets_in, tag_len, opens=opens)
    out, tag = eax_seal(under, whole.key, whole.nonce, whole.aad, octets_in)
    if opens:
        tag = eax_seal(under, whole.key, whole.nonce, whole.aad, out)[1]
    return out, tag[:tag_len]


def pycryptodome(folder: str, whole: Message) -> Any:
    """The mode with its key, nonce and a."""
    mode = AES.MODE_EAX if folder == "eax" else AES.MODE_OCB
    aead: Any = AES.new(whole.key, mode, nonce=whole.nonce, mac_len=len(whole.tag))
    aead.update(whole.aad)
    return aead


def seal(
    folder: str,
    key: bytes,
    nonce: bytes,
    aad: bytes,
    msg: bytes,
    tag_len: int,
    cipher: str = "aes128",
) -> Message:
    """A message sealed by PyCryptodome, which the model must agree with, or over another cipher by
    the model."""
    begun = Message(key, nonce, aad, b"", bytes(tag_len), cipher)
    ct, tag = by_model(folder, cipher, begun, msg, opens=False)
    if cipher == "aes128" and pycryptodome(folder, begun).encrypt_and_digest(msg) != (ct, tag):
        raise ValueError(f"{folder}: the model does not give what PyCryptodome does")
    return replace(begun, ct=ct, tag=tag)


def opens(folder: str, whole: Message) -> bool:
    """Whether PyCryptodome, or over another cipher the model, accepts a message."""
    if whole.cipher != "aes128":
        return by_model(folder, whole.cipher, whole, whole.ct, opens=True)[1] == whole.tag
    try:
        pycryptodome(folder, whole).decrypt_and_verify(whole.ct, whole.tag)
    except ValueError:
        return False
    return True


def sealed(
    folder: str, number: int, a_len: int, m_len: int, cipher: str = "aes128"
) -> tuple[bytes, Message]:
    """Message `number` of the given lengths; lengths of nonces and tags go round."""
    nonces, label, b = MODES[folder][2], folder, CIPHERS[cipher].block_octets
    tag_len = 16 if number % 2 else (8, 12, 10, 15, 14)[number // 2 % 5]
    if cipher != "aes128":
        label, tag_len = f"{folder} {cipher}", b if number % 2 else 4 + number // 2 % (b - 3)
        nonces = (b - 1, *range(1, b - 1)) if folder == "ocb3" else (b, 0, 1, b - 1, b + 1, 3 * b)
    key = octets(f"{label} key {number}", CIPHERS[cipher].key_octets)
    nonce = octets(f"{label} nonce {number}", nonces[number % len(nonces)])
    aad, msg = octets(f"{label} a {number}", a_len), octets(f"{label} m {number}", m_len)
    return msg, seal(folder, key, nonce, aad, msg, tag_len, cipher)


def cases(folder: str) -> Iterator[Test]:
    """Every accepted message: every length of m, then of a; nonces whose last octet counts; many
    blocks."""
    lengths = [(number * 7 % 41, m_len) for number, m_len in enumerate(range(82))]
    lengths += [(a_len, 5) for a_len in range(70)]
    lengths += [(0, 256), (256, 0), (300, 300), (5, 1040)]
    yield from accepted(folder, "aes128", lengths)
    yield from last_octets(
        folder, "aes128", octets(f"{folder} key", 16), octets(f"{folder} nonce", 11)
    )


def cases_over(folder: str, cipher: str) -> Iterator[Test]:
    """The same over a cipher with shorter blocks, fewer of them: two ciphers have blocks of that
    length."""
    lengths = [(number * 7 % 31, m_len) for number, m_len in enumerate(range(42))]
    lengths += [(a_len, 5) for a_len in range(30)]
    lengths += [(0, 96), (96, 0), (150, 150), (5, 520)]
    yield from accepted(folder, cipher, lengths)
    if folder == "ocb3":
        key = octets(f"{folder} {cipher} key", CIPHERS[cipher].key_octets)
        yield from last_octets(folder, cipher, key, octets(f"{folder} {cipher} nonce", 10))


def accepted(folder: str, cipher: str, lengths: list[tuple[int, int]]) -> Iterator[Test]:
    """Messages by length of a and m."""
    for number, (a_len, m_len) in enumerate(lengths):
        msg, whole = sealed(folder, number, a_len, m_len, cipher)
        here = f"a {a_len}, m {m_len}, nonce {len(whole.nonce)}, tag {len(whole.tag)}"
        yield whole.accepted(here, msg)


def last_octets(folder: str, cipher: str, key: bytes, nonce: bytes) -> Iterator[Test]:
    """Nonces whose last octets go through all that OCB3 takes out of one."""
    for last in range(64):
        whole = seal(
            folder,
            key,
            nonce + bytes([last]),
            b"a",
            b"message",
            CIPHERS[cipher].block_octets,
            cipher,
        )
        yield whole.accepted(f"last octet of the nonce {last}", b"message")


def damaged(whole: Message) -> Iterator[tuple[str, Message]]:
    """One thing changed."""
    for octet in range(0, len(whole.tag), 4):
        yield f"tag: octet {octet}", replace(whole, tag=flipped(whole.tag, 8 * octet + octet % 8))
    yield "tag: last bit", replace(whole, tag=flipped(whole.tag, -1))
    yield "tag: zero", replace(whole, tag=bytes(len(whole.tag)))
    yield "key: last bit", replace(whole, key=flipped(whole.key, -1))
    if whole.nonce:
        yield "nonce: first bit", replace(whole, nonce=flipped(whole.nonce, 0))
        yield "nonce: last bit", replace(whole, nonce=flipped(whole.nonce, -1))
    yield from damaged_data(whole)


def refusals(folder: str, cipher: str = "aes128") -> Iterator[Test]:
    """Every damaged message; each is refused by PyCryptodome, or by the model, as well."""
    for number, (a_len, m_len) in enumerate((REFUSED if cipher == "aes128" else REFUSED_OVER) * 2):
        for comment, bad in damaged(sealed(folder, 1000 + number, a_len, m_len, cipher)[1]):
            if opens(folder, bad):
                raise ValueError(f"{folder}: not refused: {comment}, of a {a_len}, m {m_len}")
            yield bad.refused(f"{comment}, of a {a_len}, m {m_len}, tag {len(bad.tag)}")


def bad_lengths(folder: str, cipher: str = "aes128") -> Iterator[Test]:
    """Lengths of nonces and tags that sealing and opening must refuse."""
    b = CIPHERS[cipher].block_octets
    tags = BAD_TAGS if b == 16 else (*BAD_TAGS[:4], b + 1, 16, 128, 255)
    wrong = [(12 if b == 16 else b - 1, tag_len) for tag_len in tags]
    if folder == "ocb3":
        wrong += [(nonce_len, b) for nonce_len in (0, b, b + 1, 255)]
    for nonce_len, tag_len in wrong:
        here = {
            "comment": f"nonce {nonce_len}, tag {tag_len}",
            "nonceLen": nonce_len,
            "tagLen": tag_len,
        }
        yield here | PARAM


def groups_over(folder: str, cipher: str, accepted: Iterator[Test]) -> list[Group]:
    """The groups of one cipher."""
    over = {} if cipher == "aes128" else {"cipher": cipher}
    return [
        Group("aead", [*accepted, *refusals(folder, cipher)], over),
        Group("aead-lengths", bad_lengths(folder, cipher), over),
    ]


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = {}
    for path, ((publication, clause), values) in PRINTED.items():
        folder, tests = path.split("/")[0], []
        for number, case in enumerate(values, start=1):
            key, nonce, aad, msg, both = (bytes.fromhex(value) for value in case)
            whole = seal(folder, key, nonce, aad, msg, len(both) - len(msg))
            if whole.ct + whole.tag != both:
                raise ValueError(f"{path}: PyCryptodome does not give printed value {number}")
            tests.append(whole.accepted(f"value {number}", msg))
        origin = printed(publication, clause, by=" by PyCryptodome")
        made[path] = text(MODES[folder][0], origin, Group("aead", tests))
    for folder, (name, clause, _) in MODES.items():
        by = "PyCryptodome; over other ciphers than AES tests/model/sized_modes_model.py"
        groups = groups_over(folder, "aes128", cases(folder))
        for cipher in OVER[folder]:
            groups += groups_over(folder, cipher, cases_over(folder, cipher))
        made[f"{folder}/generated.json"] = text(
            name, made_by("generate_aeads", by, clause), *groups
        )
    return made


if __name__ == "__main__":
    write(files())
