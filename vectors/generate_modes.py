# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{cbc,cbc_cs3,ctr}/*.json: modes over AES-128, Skipjack, RC5-32/12, Curupira-1 and
Curupira-2.

Printed values are written out below and compared with tests/model/block_modes_model.py; everything
else is computed by that model. Inputs come from SHAKE-128 of a label, so that every run writes the
same octets. Run from the root of the repository: `python -m vectors.generate_modes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tests.model.block_modes_model import CIPHERS, Cipher, cbc_encrypt, cs3_encrypt, ctr
from vectors.inputs import octets
from vectors.making import Group, Test, made_by, printed, text, write
from vectors.sealed import PARAM, VALID

MODES: dict[str, tuple[str, str, Callable[[Cipher, bytes, bytes, bytes], bytes]]] = {
    "cbc": ("CBC", "SP 800-38A §6.2", cbc_encrypt),
    "cbc_cs3": ("CBC-CS3", "SP 800-38A addendum; RFC 2040 §8; RFC 3962 §5", cs3_encrypt),
    "ctr": ("CTR", "SP 800-38A §6.5", ctr),
}
"""Folder: name, clause, who computes it."""

KEY_38A = "2b7e151628aed2a6abf7158809cf4f3c"
PLAIN_38A = (
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
TERIYAKI = b"chicken teriyaki".hex()
SOUP = b"I would like the General Gau's Chicken, please, and wonton soup."
FOX = b"The quick brown fox jumps over the tall fence\0"

PRINTED: tuple[tuple[str, str, str, str, tuple[tuple[str, str, str, str, str], ...]], ...] = (
    (
        "cbc/sp800_38a.json",
        "NIST SP 800-38A",
        "F.2.1 CBC-AES128.Encrypt",
        "aes128",
        (
            (
                "four blocks",
                KEY_38A,
                "000102030405060708090a0b0c0d0e0f",
                PLAIN_38A,
                "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
                "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
            ),
        ),
    ),
    (
        "cbc/rfc3602.json",
        "RFC 3602",
        "§4, test vectors #1 to #4",
        "aes128",
        (
            (
                "#1",
                "06a9214036b8a15b512e03d534120006",
                "3dafba429d9eb430b422da802c9fac41",
                b"Single block msg".hex(),
                "e353779c1079aeb82708942dbe77181a",
            ),
            (
                "#2",
                "c286696d887c9aa0611bbb3e2025a45a",
                "562e17996d093d28ddb3ba695a2e6f58",
                bytes(range(32)).hex(),
                "d296cd94c2cccf8a3a863028b5e1dc0a7586602d253cfff91b8266bea6d61ab1",
            ),
            (
                "#3",
                "6c3ea0477630ce21a2ce334aa746c2cd",
                "c782dc4c098c66cbd9cd27d825682c81",
                b"This is a 48-byte message (exactly 3 AES blocks)".hex(),
                "d0a02b3836451753d493665d33f0e8862dea54cdb293abc7506939276772f8d5"
                "021c19216bad525c8579695d83ba2684",
            ),
            (
                "#4",
                "56e47a38c5598974bc46903dba290349",
                "8ce82eefbea0da3c44699ed7db51b7d9",
                bytes(range(0xA0, 0xE0)).hex(),
                "c30e32ffedc0774e6aff6af0869f71aa0f3af07a9a31a9c684db207eb0ef8e4e"
                "35907aa632c3ffdf868bb7b29d3d46ad83ce9f9a102ee99d49a53e87f4c3da55",
            ),
        ),
    ),
    (
        "cbc_cs3/rfc3962.json",
        "RFC 3962",
        "Appendix B, CBC with ciphertext stealing",
        "aes128",
        tuple(
            (f"{len(ct) // 2} octets", TERIYAKI, bytes(16).hex(), SOUP[: len(ct) // 2].hex(), ct)
            for ct in (
                "c6353568f2bf8cb4d8a580362da7ff7f97",
                "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5",
                "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584",
                "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5"
                "be7fcbcc98ebf5",
                "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd839312523a78662d5"
                "be7fcbcc98ebf5a8",
                "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8"
                "4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
            )
        ),
    ),
    (
        "cbc_cs3/tinysec.json",
        "TinySec 1.x: CBCModeM over SkipJackM, run on a host",
        "key of 8 octets with two zeros behind it; "
        "iv is the encryption of 0102030405060708, as TinySec has it",
        "skipjack",
        (
            (
                "46 octets",
                "5269f149d41ba0150000",
                "a1bc8f85327a7eb7",
                FOX.hex(),
                "061944ba675e4f14d1c7f4d38793a309de2f45c77cc660f1788bfc009c97fbe0804e47eed8a2f1bb"
                "6d8a553ab68f",
            ),
        ),
    ),
    (
        "ctr/sp800_38a.json",
        "NIST SP 800-38A",
        "F.5.1 CTR-AES128.Encrypt",
        "aes128",
        (
            (
                "four blocks",
                KEY_38A,
                "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
                PLAIN_38A,
                "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
            ),
        ),
    ),
    (
        "ctr/rfc3686.json",
        "RFC 3686",
        "§6, test vectors with keys of 128 bits",
        "aes128",
        (
            (
                "#1",
                "ae6852f8121067cc4bf7a5765577f39e",
                "00000030000000000000000000000001",
                b"Single block msg".hex(),
                "e4095d4fb7a7b3792d6175a3261311b8",
            ),
            (
                "#2",
                "7e24067817fae0d743d6ce1f32539163",
                "006cb6dbc0543b59da48d90b00000001",
                bytes(range(32)).hex(),
                "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28",
            ),
            (
                "#3",
                "7691be035e5020a8ac6e618529f9a0dc",
                "00e0017b27777f3f4a1786f000000001",
                bytes(range(36)).hex(),
                "c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f",
            ),
        ),
    ),
)
"""Path, name, clause, cipher, and comment, key, iv, plaintext and ciphertext of each."""


FIRST, LATER = ("aes128", "skipjack", "rc5"), ("curupira1_96", "curupira2")
"""Ciphers in the order in which their cases came: numbers stay."""
MORE = {
    "cbc": {"aes128": range(112, 976, 16)},
    "cbc_cs3": {"aes128": range(113, 201), "skipjack": range(65, 113), "rc5": range(65, 113)},
    "ctr": {"aes128": range(113, 181), "skipjack": range(65, 97), "rc5": range(65, 97)},
}
"""Lengths that came last: with them there are 200 cases of each mode and block length."""


def lengths(folder: str, cipher: Cipher) -> list[int]:
    """Octets of the messages of generated.json."""
    b = cipher.block_octets
    most = 64 if b == 8 else 112
    if folder == "cbc":
        return [number * b % (120 if b == 12 else most) for number in range(6 * b)]
    return list(range(b if folder == "cbc_cs3" else 0, most + 1))


def cases(
    folder: str, name: str, chosen_lengths: Sequence[int] = (), first: int = 0
) -> Iterator[Test]:
    """Every accepted message of a mode over a cipher, or the messages of some lengths, numbered
    from `first`."""
    cipher, compute = CIPHERS[name], MODES[folder][2]
    b = cipher.block_octets
    chosen = [
        (f"{length} octets", octets(f"{folder} {name} iv {number}", b), length)
        for number, length in enumerate(chosen_lengths or lengths(folder, cipher), start=first)
    ]
    if folder == "ctr" and not chosen_lengths:
        for ones in range(1, b + 1):
            counter = octets(f"carry {name}", b - ones) + b"\xff" * ones
            chosen.append((f"carry through {ones} octets", counter, 3 * b))
    for number, (comment, iv, length) in enumerate(chosen, start=first):
        key, pt = (
            octets(f"{folder} {name} key {number}", cipher.key_octets),
            octets(f"{folder} {name} {number}", length),
        )
        ct = compute(cipher, key, iv, pt)
        yield {
            "comment": comment,
            "key": key.hex(),
            "iv": iv.hex(),
            "pt": pt.hex(),
            "ct": ct.hex(),
        } | VALID


def refused(folder: str, name: str) -> Iterator[Test]:
    """Lengths that a mode over a cipher must refuse: parts of blocks for CBC, less than a block for
    CBC-CS3."""
    b = CIPHERS[name].block_octets
    bad = (
        range(b)
        if folder == "cbc_cs3"
        else (length for length in (*range(60), 255, 65535) if length % b)
    )
    for length in bad if folder != "ctr" else ():
        yield {"comment": f"{length} octets", "len": length} | PARAM


def group(type_: str, name: str, tests: Iterable[Test]) -> Group:
    """A group of tests over one cipher."""
    return Group(type_, tests, {"cipher": name})


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = {}
    for path, publication, clause, name, values in PRINTED:
        algorithm, _, compute = MODES[path.split("/")[0]]
        tests = [
            dict(zip(("comment", "key", "iv", "pt", "ct"), case, strict=True)) for case in values
        ]
        for test in tests:
            key, iv, pt, ct = (bytes.fromhex(test[member]) for member in ("key", "iv", "pt", "ct"))
            if compute(CIPHERS[name], key, iv, pt) != ct:
                raise ValueError(f"{path}: the model does not give the value of {test['comment']}")
        origin = printed(publication, clause, by="")
        made[path] = text(
            algorithm, origin, group("block-mode", name, [test | VALID for test in tests])
        )
    for folder, (algorithm, clause, _) in MODES.items():
        source = made_by(
            "generate_modes", "tests/model/block_modes_model.py, with OpenSSL's AES", clause
        )
        groups = []
        for names in (FIRST, LATER):
            groups += [group("block-mode", name, cases(folder, name)) for name in names]
            groups += [group("block-mode-length", name, refused(folder, name)) for name in names]
        groups += [
            group("block-mode", name, cases(folder, name, n, 1000))
            for name, n in MORE[folder].items()
        ]
        made[f"{folder}/generated.json"] = text(algorithm, source, *groups)
    return made


if __name__ == "__main__":
    write(files())
