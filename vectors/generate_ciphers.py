# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{skipjack,rc5,trivium,grain_v1,grain128_aead}/*.json: ciphers that few libraries
have.

Values that were published are written out in published_ciphers.py, and no file is written unless
tests/model/ciphers_model.py gives every one of them; everything else is computed by that model.
Inputs come from SHAKE-128 of a label, so that every run writes the same octets. Run from the root
of the repository: `python -m vectors.generate_ciphers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.model import ciphers_model
from vectors.inputs import bit_of, flipped, octets
from vectors.making import Group, Test, made_by, text, write
from vectors.published_ciphers import BLOCKS, MESSAGES, STREAMS
from vectors.sealed import PARAM, VALID, Sealed, damaged_data, encrypted

BLOCK_CIPHERS: dict[str, tuple[str, str, Callable[[bytes, bytes], bytes], tuple[int, ...]]] = {
    "skipjack": ("Skipjack", "Skipjack specification 2.0", ciphers_model.skipjack_encrypt, (10,)),
    "rc5": ("RC5-32/12", "Rivest, FSE 1994, §4", ciphers_model.rc5_encrypt, (16, 8, *range(1, 17))),
}
"""Folder: name, clause, who computes it, octets of keys."""
STREAM_CIPHERS: dict[str, tuple[str, str, Callable[[bytes, bytes, int], bytes], int]] = {
    "trivium": ("Trivium", "De Cannière, Preneel, eSTREAM 2005, §2", ciphers_model.trivium, 10),
    "grain_v1": ("Grain v1", "Hell, Johansson, Meier, eSTREAM 2006, §2", ciphers_model.grain_v1, 8),
}
"""Folder: name, clause, who computes it, octets of initial values."""
RANDOM_BLOCKS = 180
STREAM_LENGTHS = (*range(131), 160, 192, 193, 255, 256, 257)
BAD_KEY_LENGTHS = (0, *range(17, 151), 192, 255)
SHORT = range(71)
LONG_A = (
    *(0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 35, 63, 64, 86, 126, 127, 128, 129, 130),
    *(254, 255, 256, 257, 258, 300),
)
REFUSED = (
    (0, 0),
    (0, 1),
    (0, 2),
    (0, 15),
    (1, 0),
    (2, 5),
    (8, 16),
    (35, 86),
    (127, 3),
    (128, 3),
    (256, 4),
)


def keyed(key_len: int, other_len: int) -> Iterator[tuple[str, bytes, bytes]]:
    """Comment, key, and block or initial value: one bit of either set, and every octet alike."""
    zero_key, zero = bytes(key_len), bytes(other_len)
    yield "all zero", zero_key, zero
    yield "all ones", b"\xff" * key_len, b"\xff" * other_len
    for position in range(0, 8 * key_len, 3):
        yield f"key bit {position}", bit_of(position, key_len), zero
    for position in range(0, 8 * other_len, 3):
        yield f"bit {position} of the other, key zero", zero_key, bit_of(position, other_len)
    for value in range(0, 256, 17):
        yield (
            f"every octet 0x{value:02x}",
            bytes([value] * key_len),
            bytes([value ^ 0xFF] * other_len),
        )


def blocks(folder: str) -> Iterator[Test]:
    """Every block of generated.json."""
    *_, encrypt, key_lengths = BLOCK_CIPHERS[folder]
    cases = list(keyed(key_lengths[0], 8))
    for number in range(RANDOM_BLOCKS):
        key = octets(f"{folder} key {number}", key_lengths[number % len(key_lengths)])
        cases.append(
            (
                f"random {number}, key of {len(key)} octets",
                key,
                octets(f"{folder} block {number}", 8),
            )
        )
    for comment, key, block in cases:
        yield encrypted(comment, key, block, encrypt(key, block))


def streams(folder: str) -> Iterator[Test]:
    """Every keystream of generated.json: 16 octets under patterns, and every length under random
    keys."""
    *_, keystream, iv_len = STREAM_CIPHERS[folder]
    cases = [(comment, key, iv, 16) for comment, key, iv in keyed(10, iv_len)]
    for length in STREAM_LENGTHS:
        key, iv = octets(f"{folder} key {length}", 10), octets(f"{folder} iv {length}", iv_len)
        cases.append((f"{length} octets", key, iv, length))
    for comment, key, iv, length in cases:
        stream = keystream(key, iv, length)
        yield {"comment": comment, "key": key.hex(), "iv": iv.hex(), "stream": stream.hex()} | VALID


def sealed(label: str, a_len: int, m_len: int) -> tuple[bytes, Sealed]:
    """A message of the given lengths, and what sealing it gives."""
    key, nonce = octets(f"{label} key", 16), octets(f"{label} nonce", 12)
    aad, msg = octets(f"{label} a", a_len), octets(f"{label} m", m_len)
    return msg, Sealed(key, nonce, aad, *ciphers_model.grain128_seal(key, nonce, aad, msg))


def damaged(whole: Sealed) -> Iterator[tuple[str, Sealed]]:
    """One thing changed."""
    for octet in range(0, 8, 3):
        yield f"tag: octet {octet}", replace(whole, tag=flipped(whole.tag, 8 * octet + octet))
    yield "tag: last bit", replace(whole, tag=flipped(whole.tag, -1))
    yield "tag: zero", replace(whole, tag=bytes(8))
    yield "key: last bit", replace(whole, key=flipped(whole.key, -1))
    yield "nonce: first bit", replace(whole, nonce=flipped(whole.nonce, 0))
    yield from damaged_data(whole)


def messages() -> Iterator[Test]:
    """Every message of grain128_aead/generated.json: every length of m with lengths of a going
    round, then of a."""
    lengths = [
        (number * 7 % 23, m_len)
        for number, m_len in enumerate((*SHORT, 86, 127, 128, 129, 255, 256, 257, 300))
    ]
    lengths += [(a_len, m_len) for a_len in LONG_A for m_len in (0, 1, 6)]
    for a_len, m_len in lengths:
        msg, whole = sealed(f"grain128 {a_len} {m_len}", a_len, m_len)
        yield whole.accepted(f"a {a_len}, m {m_len}", msg)


def refusals() -> Iterator[Test]:
    """Every refused message of grain128_aead/generated.json."""
    for a_len, m_len in REFUSED:
        for comment, bad in damaged(sealed(f"grain128 refused {a_len} {m_len}", a_len, m_len)[1]):
            if ciphers_model.grain128_opens(bad.key, bad.nonce, bad.aad, bad.ct, bad.tag):
                raise ValueError(f"not refused: {comment}, of a {a_len}, m {m_len}")
            yield bad.refused(f"{comment}, of a {a_len}, m {m_len}")


def published() -> Iterator[tuple[str, str, dict[str, str], str, list[Test]]]:
    """Path, algorithm, source, type and tests of every file of published values, each checked
    against the model."""
    for path, source, block_cases in BLOCKS:
        name, _, encrypt, _ = BLOCK_CIPHERS[path.split("/")[0]]
        tests = [
            dict(zip(("comment", "key", "pt", "ct"), case, strict=True)) for case in block_cases
        ]
        need(path, ((encrypt(h(t["key"]), h(t["pt"])), h(t["ct"])) for t in tests))
        yield path, name, source, "block", [test | VALID for test in tests]
    for path, source, stream_cases in STREAMS:
        name, _, keystream, _ = STREAM_CIPHERS[path.split("/")[0]]
        tests = [
            dict(zip(("comment", "key", "iv", "stream"), case, strict=True))
            for case in stream_cases
        ]
        need(
            path,
            (
                (keystream(h(t["key"]), h(t["iv"]), len(h(t["stream"]))), h(t["stream"]))
                for t in tests
            ),
        )
        yield path, name, source, "keystream", [test | VALID for test in tests]
    for path, source, message_cases in MESSAGES:
        members = ("comment", "key", "nonce", "aad", "msg", "ct", "tag")
        tests = [dict(zip(members, case, strict=True)) for case in message_cases]
        arguments = (
            (tuple(h(t[name]) for name in ("key", "nonce", "aad", "msg")), t) for t in tests
        )
        need(
            path,
            (
                (ciphers_model.grain128_seal(*given), (h(t["ct"]), h(t["tag"])))
                for given, t in arguments
            ),
        )
        yield path, "Grain-128AEADv2", source, "aead", [test | VALID for test in tests]


h = bytes.fromhex


def need(path: str, pairs: Iterator[tuple[object, object]]) -> None:
    """Refuses to go on where a published value is not the model's."""
    for number, (got, want) in enumerate(pairs, start=1):
        if got != want:
            raise ValueError(f"{path}: the model does not give published value {number}")


def model(clause: str) -> dict[str, str]:
    """The source of what the model computed."""
    return made_by("generate_ciphers", "tests/model/ciphers_model.py", clause)


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = {
        path: text(name, source, Group(type_, tests))
        for path, name, source, type_, tests in published()
    }
    for folder, (name, clause, *_) in BLOCK_CIPHERS.items():
        refused = BAD_KEY_LENGTHS if folder == "rc5" else ()
        lengths = [{"comment": f"key of {n} octets", "keyLen": n} | PARAM for n in refused]
        groups = Group("block", blocks(folder)), Group("key-length", lengths)
        made[f"{folder}/generated.json"] = text(name, model(clause), *groups)
    for folder, (name, clause, *_) in STREAM_CIPHERS.items():
        keystream = Group("keystream", streams(folder))
        made[f"{folder}/generated.json"] = text(name, model(clause), keystream)
    sealed = Group("aead", [*messages(), *refusals()])
    clause = "Hell et al., NIST LWC 2021, §2"
    made["grain128_aead/generated.json"] = text("Grain-128AEADv2", model(clause), sealed)
    return made


if __name__ == "__main__":
    write(files())
