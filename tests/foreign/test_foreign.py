# SPDX-License-Identifier: BSD-3-Clause
"""The readers and checks of others' vector files, on cases typed from the standards or computed by
OpenSSL, Python and the models, right and wrong."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from tests.foreign import checks, readers
from tests.foreign.__main__ import main
from tests.foreign.library import CURUPIRA1
from tests.model.block_modes_model import CIPHERS
from tests.model.sized_modes_model import eax_seal
from vectors.ketje_model import KeccakP, Ketje
from wardmote.call import HostTarget
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

CURUPIRA = """Set 1, vector# 0:
\tkey = \t\t800000000000000000000000
\tplain = \t\t000000000000000000000000
\tcipher = \t\t126b5eae509b2e929b1b08ff
\tdecrypted = \t000000000000000000000000
\tIterated 1E2 times = \tff0b93bf84f411c4a6a01d41
\tIterated 1E3 times = \tf85f895588895c2bf0ef348e
"""
TRIVIUM = """Set 1, vector#  0:
                         key = 80000000000000000000
                          IV = 00000000000000000000
               stream[0..31] = 38EB86FF730D7A9CAF8DF13A4420540D
                               BB7B651464C87501552041C249F29A64
"""
ASCON = """Count = 1
Key = 000102030405060708090A0B0C0D0E0F
Nonce = 101112131415161718191A1B1C1D1E1F
PT = 
AD = 30
CT = CCCB674FE18A09A285D6AB11B35675C0
"""  # noqa: W291, the known answers have a space there
MARVIN = """Set 1, vector# 1:
\tkey = \t\t000000000000000000000000
\tmsg (01) = \t\t00
\ttag (04) = \t\t98b18790
\ttag (12) = \t\tcf62e6370e635b78e7ce6042
"""
LETTERSOUP = """Set 1, vector# 1:
\tkey = \t\t0102030405060708090a0b0c
\tnonce = \t\t0102030405060708090a0b0c
\tmsg (01) = \t\t00
\taad (00) = \t\t
\tresult = \t\t90
\ttag (04) = \t\t72e567f3
\ttag (12) = \t\tce6855d3dd3cac207aebc664
"""
ASCON_HASH = """Count = 1
Msg = 
MD = 0B3BE5850F2F6B98CAF29F8FDEA89B64A1FA70AA249B8F839BD53BAA304D92B2
"""  # noqa: W291, as above
OMAC = """OMAC-aes (16 byte key)
  0: 97DD6E5A882CBD564C39AE7D1C5A31AA
  1: F69346EEB9A76553172FC20E9DB18C63

OMAC-rc5 (8 byte key)

OMAC-skipjack (10 byte key)
"""


PATTERN = bytes(range(64))


def rows(head: str, results: Sequence[tuple[bytes, ...]]) -> str:
    """A run as libtomcrypt's notes have it."""
    lines = [
        f"{n:3}: {', '.join(octets.hex().upper() for octets in result)}"
        for n, result in enumerate(results)
    ]
    return "\n".join([head, *lines, "", ""])


def hashes() -> str:
    """Of no octet, of one and of two, by Python."""
    named = {"sha1": "sha1", "sha256": "sha256", "blake2s-256": "blake2s", "sha3-256": "sha3_256"}
    return "".join(
        rows(f"Hash: {name}", [(hashlib.new(python, PATTERN[:n]).digest(),) for n in range(3)])
        for name, python in named.items()
    )


def hmacs() -> str:
    """Each under the one before, by Python."""
    text = ""
    for name, octets in (("sha1", 20), ("sha256", 32)):
        made = [PATTERN[:octets]]
        for n in range(3):
            made.append(hmac.digest(made[-1], PATTERN[:n], name))
        text += rows(f"HMAC-{name}", [(tag,) for tag in made[1:]])
    return text


def blocks() -> str:
    """AES, each output key and plaintext of the next, by OpenSSL."""
    made = [PATTERN[:16]]
    for _ in range(3):
        encryptor = Cipher(algorithms.AES(made[-1]), modes.ECB()).encryptor()
        made.append(encryptor.update(made[-1]))
    nothing = "Cipher: skipjack\nKey Size: 10 bytes\n\nCipher: rc5\nKey Size: 8 bytes\n"
    return rows("Cipher: aes\nKey Size: 16 bytes", [(block,) for block in made[1:]]) + nothing


def aeads(name: str, seal: Callable[[bytes, int], tuple[bytes, bytes]]) -> str:
    """Each under the tag before."""
    key, made = PATTERN[:16], []
    for n in range(3):
        ct, tag = seal(key, n)
        made.append((ct, tag))
        key = (tag * 4)[:16]
    return rows(f"{name}-aes (16 byte key)", made)


def ccm_openssl(key: bytes, n: int) -> tuple[bytes, bytes]:
    """With tags of 4 octets."""
    sealed = AESCCM(key, tag_length=4).encrypt(PATTERN[:13], PATTERN[:n], PATTERN[:n])
    return sealed[:n], sealed[n:]


def eax_model(key: bytes, n: int) -> tuple[bytes, bytes]:
    """Nonce, header and message alike."""
    return eax_seal(CIPHERS["aes128"], key, PATTERN[:n], PATTERN[:n], PATTERN[:n])


def ketjes(lane_bits_log2: int, tag: int) -> str:
    """A session of two messages under a key and a nonce of whole octets."""
    key, nonce = PATTERN[:10], PATTERN[:5]
    model, text = (
        Ketje(KeccakP(lane_bits_log2), key, nonce, 80, 40),
        "***\ninitialize with key of 80 bits, nonce of 40 bits\n",
    )
    text += f"key: {key.hex(' ')}\nnonce: {nonce.hex(' ')}\n"
    for n in (0, 7):
        ct, made = model.wrap(PATTERN[:n], PATTERN[:n], tag)
        text += f"\nassociated data: {PATTERN[:n].hex(' ')}\nplaintext: {PATTERN[:n].hex(' ')}\n"
        text += f"ciphertext: {ct.hex(' ')}\ntag: {made.hex(' ')}\n"
    return text


EVERY_FORM: dict[str, tuple[str, checks.Check, int]] = {
    "marvin": (MARVIN, checks.marvin, 2),
    "lettersoup": (LETTERSOUP, checks.lettersoup, 3),
    "ascon_hash": (ASCON_HASH, checks.ascon_hash, 1),
    "hashes": (hashes(), checks.chained_hashes, 12),
    "hmacs": (hmacs(), checks.chained_hmac, 6),
    "ciphers": (blocks(), checks.chained_ciphers, 3),
    "ccm": (aeads("CCM", ccm_openssl), checks.chained_ccm, 3),
    "eax": (
        aeads("EAX", eax_model) + "EAX-skipjack (10 byte key)\n\nEAX-rc5 (8 byte key)\n",
        checks.chained_eax,
        3,
    ),
    "ketje_sr": (ketjes(4, 16), checks.ketje("ketje_sr", KeccakP(4), 16), 3),
    "ketje_jr": (ketjes(3, 12), checks.ketje("ketje_jr", KeccakP(3), 12), 3),
}
"""Text, its check, and how many lines have a result that is not empty."""
RESULT = re.compile(
    r"^(?:\s*(?:tag|result|MD|ciphertext)\b[^=:]*[=:]| *\d+:)[\s,]*([0-9A-Fa-f].*)$", re.MULTILINE
)


@pytest.fixture(scope="module")
def target() -> HostTarget:
    """The stack on this machine."""
    return HostTarget(BUILD / "stack/host/libwardmote.so", read_public(ROOT))


@pytest.mark.parametrize(
    ("text", "check", "digit"),
    [
        (CURUPIRA, checks.block_cipher(CURUPIRA1[12]), "12"),
        (CURUPIRA, checks.block_cipher(CURUPIRA1[12]), "f8"),
        (TRIVIUM, checks.stream("trivium"), "9A"),
        (ASCON, checks.aead("wm_ascon_aead128", 16), "C0"),
        (OMAC, checks.chained_cmac, "F6"),
    ],
)
def test_a_case_agrees_and_a_changed_one_does_not(
    target: HostTarget, tmp_path: Path, text: str, check: checks.Check, digit: str
) -> None:
    """One octet of an expected result decides."""
    path = tmp_path / "cases.txt"
    path.write_text(text)
    found = list(check(target, path))
    assert found
    assert all(found)
    path.write_text(text.replace(digit, "00", 1))
    assert not all(check(target, path))


@pytest.mark.parametrize("form", EVERY_FORM)
def test_every_result_counts(target: HostTarget, tmp_path: Path, form: str) -> None:
    """All cases agree; with the first or the last digit of any one result changed, not all do."""
    text, check, _ = EVERY_FORM[form]
    path = tmp_path / "cases.txt"
    path.write_text(text)
    found = list(check(target, path))
    assert found
    assert all(found)
    lines = list(RESULT.finditer(text))
    assert len(lines) == EVERY_FORM[form][2]
    for at in (place for line in lines for place in (line.start(1), line.end(1) - 1)):
        path.write_text(f"{text[:at]}{int(text[at], 16) ^ 1:X}{text[at + 1 :]}")
        assert not all(check(target, path)), text[at - 20 : at + 20]
    target.reset()


def test_a_value_goes_over_several_lines(tmp_path: Path) -> None:
    """As keystream does."""
    path = tmp_path / "cases.txt"
    path.write_text(TRIVIUM.replace("\n", "\r\n"))
    (case,) = readers.nessie(path)
    assert len(case["stream[0..31]"]) == 32


Checked = Callable[[dict[str, str]], tuple[int, str, str]]
"""Exit code, stdout and stderr of the check of a folder that holds these files."""


@pytest.fixture
def checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Checked:
    """Writes files, and checks the folder as the command line does."""

    def check(files: dict[str, str]) -> tuple[int, str, str]:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        monkeypatch.setattr("sys.argv", ["foreign", str(tmp_path)])
        code = main()
        said = capsys.readouterr()
        return code, said.out, said.err

    return check


def test_a_folder_without_files_is_refused(checked: Checked) -> None:
    """One line, and nothing counts as checked."""
    code, _, err = checked({})
    assert code == 2
    assert "holds none of the files" in err


def test_a_file_with_fewer_cases_is_a_fault(checked: Checked) -> None:
    """A reader that finds nothing must not pass."""
    code, out, _ = checked({"curupira1_96.txt": CURUPIRA})
    assert code == 1
    assert "437 were expected" in out


def test_a_file_of_another_form_is_a_fault(checked: Checked) -> None:
    """One line says which, and the others are still checked."""
    files = {
        "ltc_eax.txt": OMAC,
        "curupira1_96.txt": CURUPIRA.replace("key =", "keys ="),
        "trivium_iv80.txt": TRIVIUM.replace("80000", "8000"),
    }
    code, out, err = checked(files)
    assert code == 1
    assert [line.split()[1].rsplit("/", 1)[1] for line in err.splitlines()] == [
        *("curupira1_96.txt", "trivium_iv80.txt", "ltc_eax.txt"),
    ]
    assert out.count("were expected") == 3
