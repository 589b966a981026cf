# SPDX-License-Identifier: BSD-3-Clause
"""Checks in each file every case of a primitive that the stack has. A check yields whether a case
agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.foreign import library as stack
from tests.foreign import readers
from tests.foreign.readers import chains, kat, nessie
from vectors.ketje_model import KeccakP, Ketje
from wardmote.call import Target

Check = Callable[[Target, Path], Iterator[bool]]


@dataclass(frozen=True)
class File:
    """One file, by the name under which the reader keeps it."""

    name: str
    what: str
    origin: str
    check: Check
    cases: int
    """How many it has for us; fewer is a fault of the reading."""


def block_cipher(cipher: stack.Block) -> Check:
    """Encryption, decryption, and 100 and 1 000 encryptions in a row."""

    def check(target: Target, path: Path) -> Iterator[bool]:
        for case in nessie(path):
            key, plain, cipher_text = case["key"], case["plain"], case["cipher"]
            hundred = case.get("Iterated 1E2 times", case.get("Iterated 100 times"))
            thousand = case.get("Iterated 1E3 times", case.get("Iterated 1000 times"))
            yield (
                stack.encrypt(target, cipher, key, plain) == cipher_text
                and stack.decrypt(target, cipher, key, cipher_text) == plain
                and (hundred is None or stack.encrypt(target, cipher, key, plain, 100) == hundred)
                and (
                    thousand is None or stack.encrypt(target, cipher, key, plain, 1000) == thousand
                )
            )

    return check


def stream(name: str, lead: int = 0) -> Check:
    """Every piece of keystream within the first 65 535 octets; `lead` octets of zero stand before
    the initial value."""

    def check(target: Target, path: Path) -> Iterator[bool]:
        for case in nessie(path):
            iv = bytes(lead) + case["IV"]
            pieces = {
                tuple(map(int, place.removeprefix("stream[").removesuffix("]").split(".."))): octets
                for place, octets in case.items()
                if place.startswith("stream[")
            }
            near = {place: octets for place, octets in pieces.items() if place[1] < 65535}
            made = stack.keystream(target, name, case["key"], iv, max(end for _, end in near) + 1)
            yield bool(near) and all(
                made[begin : end + 1] == octets for (begin, end), octets in near.items()
            )

    return check


def marvin(target: Target, path: Path) -> Iterator[bool]:
    """Every message and length of tag."""
    cipher = stack.CURUPIRA1[12]
    for case in nessie(path):
        message = next(octets for name, octets in case.items() if name.startswith("msg"))
        derived = target.buffer(bytes(target.pack("wm_marvin_key")))
        key = cipher.key(target, case["key"])
        assert target.call("wm_marvin_derive", derived, key).value == 0
        for tag in (octets for name, octets in case.items() if name.startswith("tag")):
            context, made = target.pack("wm_marvin"), bytearray(len(tag))
            target.call("wm_marvin_init", context, derived)
            target.call("wm_marvin_update", context, message, len(message))
            yield target.call("wm_marvin_final", context, made, len(tag)).value == 0 and made == tag


def lettersoup(target: Target, path: Path) -> Iterator[bool]:
    """Every message and length of tag, sealed and opened."""
    cipher = stack.CURUPIRA1[12]
    for case in nessie(path):
        named = {
            name.split(" ")[0]: octets
            for name, octets in case.items()
            if not name.startswith("tag")
        }
        before = (cipher.key(target, case["key"]), case["nonce"])
        for tag in (octets for name, octets in case.items() if name.startswith("tag")):
            done = stack.both_ways(
                target, "wm_lettersoup", before, named["aad"], named["msg"], len(tag), last=True
            )
            yield done == stack.Sealed(0, named["result"] + tag, 0, named["msg"])


def aead(function: str, tag: int) -> Check:
    """NIST's known answers, sealed and opened."""

    def check(target: Target, path: Path) -> Iterator[bool]:
        for case in kat(path):
            done = stack.both_ways(
                target,
                function,
                (case["Key"], case["Nonce"]),
                case["AD"],
                case["PT"],
                tag,
                last=False,
            )
            yield done == stack.Sealed(done.status, case["CT"], 0, case["PT"])

    return check


def ascon_hash(target: Target, path: Path) -> Iterator[bool]:
    """NIST's known answers."""
    for case in kat(path):
        yield stack.digest(target, "ascon_hash256", case["Msg"], 32) == case["MD"]


def _repeated(octets: bytes, length: int) -> bytes:
    return (octets * (length // len(octets) + 1))[:length]


CHAINED = {"aes": stack.AES, "skipjack": stack.SKIPJACK, "rc5": stack.RC5}


def _of_each_cipher(
    path: Path,
) -> Iterator[tuple[stack.Block, int, list[tuple[bytes, bytes]]]]:
    """The chains of a file: cipher, octets of its key, and what each step gives."""
    found = chains(path)
    for name, cipher in CHAINED.items():
        for octets, rows in found[name]:
            yield cipher, octets, rows


HASHES = {
    "sha1": ("sha1", 20),
    "sha256": ("sha256", 32),
    "blake2s-256": ("blake2s", 32),
    "sha3-256": ("sha3_256", 32),
}


def chained_ciphers(target: Target, path: Path) -> Iterator[bool]:
    """Each output is key and plaintext of the next."""
    for cipher, octets, rows in _of_each_cipher(path):
        if octets not in (8, 10, 16):
            continue
        key, plain = bytes(range(octets)), bytes(range(cipher.block))
        for output, _ in rows:
            yield stack.encrypt(target, cipher, key, plain) == output
            key, plain = _repeated(output, octets), output


def chained_ccm(target: Target, path: Path) -> Iterator[bool]:
    """Seven runs, tags of 4, 6, .. 16 octets, one chain of keys through all."""
    key = bytes(range(16))
    for _, rows in chains(path)["aes"]:
        for n, (text, tag) in enumerate(rows):
            length = n % 33
            before = (stack.AES.key(target, key), bytes(range(13)))
            pattern = bytes(range(length))
            done = stack.both_ways(target, "wm_ccm", before, pattern, pattern, len(tag), last=True)
            yield done == stack.Sealed(0, text + tag, 0, pattern)
            key = _repeated(tag, 16)


def chained_eax(target: Target, path: Path) -> Iterator[bool]:
    """Header, nonce and message alike; each tag makes the next key."""
    for cipher, octets, rows in _of_each_cipher(path):
        key = bytes(range(octets))
        for n, (text, tag) in enumerate(rows):
            pattern = bytes(range(n))
            before = (stack.cmac_key(target, cipher, key), pattern, n)
            done = stack.both_ways(target, "wm_eax", before, pattern, pattern, len(tag), last=True)
            yield done == stack.Sealed(0, text + tag, 0, pattern)
            key = _repeated(tag, octets)


def chained_cmac(target: Target, path: Path) -> Iterator[bool]:
    """Each tag makes the next key."""
    for cipher, octets, rows in _of_each_cipher(path):
        key = bytes(range(octets))
        for n, (tag, _) in enumerate(rows):
            yield stack.cmac(target, cipher, key, bytes(range(n)), len(tag)) == tag
            key = _repeated(tag, octets)


def chained_hashes(target: Target, path: Path) -> Iterator[bool]:
    """Hashes of 00 01 02 .."""
    found = chains(path)
    for name, (function, octets) in HASHES.items():
        for _, rows in found[name]:
            for n, (output, _) in enumerate(rows):
                yield (
                    stack.digest(target, function, bytes(k & 0xFF for k in range(n)), octets)
                    == output
                )


def chained_hmac(target: Target, path: Path) -> Iterator[bool]:
    """Each output is the next key."""
    found = chains(path)
    for name in ("sha1", "sha256"):
        function, octets = HASHES[name]
        for _, rows in found[name]:
            key = bytes(range(octets))
            for n, (output, _) in enumerate(rows):
                yield (
                    stack.hmac(target, function, key, bytes(k & 0xFF for k in range(n)), octets)
                    == output
                )
                key = output


def ketje(name: str, permutation: KeccakP, tag: int) -> Check:
    """Every message of every session. Keys and nonces there are no whole octets, so the state with
    which a session begins is the model's; what is done with it is the stack's."""

    def check(target: Target, path: Path) -> Iterator[bool]:
        for key_bits, nonce_bits, begin, messages in readers.ketje(path):
            model = Ketje(permutation, begin["key"], begin["nonce"], key_bits, nonce_bits)
            for case in messages:
                a, m = case["associated data"], case["plaintext"]
                context, made = (
                    stack.ketje_context(target, name, bytes(model.state)),
                    bytearray(tag),
                )
                octets = bytearray(m)
                done = [target.call(f"wm_{name}_aad", context, a, len(a)).value]
                done.append(target.call(f"wm_{name}_crypt", context, octets, len(m)).value)
                done.append(target.call(f"wm_{name}_seal_finish", context, made).value)
                model.wrap(
                    a, m, len(case["tag"])
                )  # As many blocks of tag as theirs has go into what follows.
                yield not any(done) and octets == case["ciphertext"] and made == case["tag"][:tag]

    return check
