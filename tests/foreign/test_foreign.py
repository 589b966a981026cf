# SPDX-License-Identifier: BSD-3-Clause
"""The readers and checks of others' vector files, on cases typed from the standards, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.foreign import checks, readers
from tests.foreign.__main__ import main
from tests.foreign.library import CURUPIRA1
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
OMAC = """OMAC-aes (16 byte key)
  0: 97DD6E5A882CBD564C39AE7D1C5A31AA
  1: F69346EEB9A76553172FC20E9DB18C63

OMAC-rc5 (8 byte key)

OMAC-skipjack (10 byte key)
"""


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


def test_a_value_goes_over_several_lines(tmp_path: Path) -> None:
    """As keystream does."""
    path = tmp_path / "cases.txt"
    path.write_text(TRIVIUM.replace("\n", "\r\n"))
    (case,) = readers.nessie(path)
    assert len(case["stream[0..31]"]) == 32


def test_a_folder_without_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, and nothing counts as checked."""
    monkeypatch.setattr("sys.argv", ["foreign", str(tmp_path)])
    assert main() == 2
    assert "holds none of the files" in capsys.readouterr().err


def test_a_file_with_fewer_cases_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reader that finds nothing must not pass."""
    (tmp_path / "curupira1_96.txt").write_text(CURUPIRA)
    monkeypatch.setattr("sys.argv", ["foreign", str(tmp_path)])
    assert main() == 1
    assert "437 were expected" in capsys.readouterr().out
