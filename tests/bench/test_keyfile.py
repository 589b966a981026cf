# SPDX-License-Identifier: BSD-3-Clause
"""TinyOS's key files: what is read, what is refused and how, and firmware that gets its key."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from wardmote import keyfile
from wardmote.errors import UsageError

MANUAL = "default 6D524D67F24F178B0A69933FDD6C6F7B"
"""The example of TinySec's manual."""
KEY = bytes.fromhex(MANUAL.split()[1])
OTHER = "00112233445566778899aabbccddeeff"


def test_a_file_of_tinyos() -> None:
    """Names, digits in either case, comments, and no end of line behind the last one."""
    text = f"# keys of the hall\n\n{MANUAL}  # first\n\thall_2\t{OTHER}"
    keys = keyfile.parse(text, "keys")
    assert keys == {"default": KEY, "hall_2": bytes.fromhex(OTHER)}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (MANUAL[:-1], "line 1, default: the key is too short: 31 digits, not 32"),
        (MANUAL[:-2], "line 1, default: the key is too short: 30 digits, not 32"),
        (f"{MANUAL}7", "line 1, default: the key is too long: 33 digits, not 32"),
        (f"{MANUAL[:-1]}g", "line 1, default: the key has other characters than hexadecimal digits"),
        (f"{MANUAL}\n{MANUAL}", "line 2: a second key with the name default"),
        (f"a {OTHER}\n\na {OTHER}", "line 3: a second key with the name a"),
        (MANUAL.split()[1], "line 1: has 1 words, not a name and 32 hexadecimal digits"),
        (f"{MANUAL} {OTHER}", "line 1: has 3 words, not a name and 32 hexadecimal digits"),
        (f"a-b {OTHER}", "line 1: a name has letters, digits and _"),
        (f"a {'00' * 16}", "line 1, a: both halves are the same, but encryption and tag need two keys"),
        ("# nothing", "keys: has no key"),
        ("", "keys: has no key"),
    ],
)  # fmt: skip
def test_refusals(text: str, says: str) -> None:
    """Each says the line and what is wrong, and never the key."""
    with pytest.raises(UsageError) as caught:
        keyfile.parse(text, "keys")
    assert says in str(caught.value)
    assert "4D67F24F" not in str(caught.value)


def test_names(tmp_path: Path) -> None:
    """The first key, or the one of a name; a name that is not there lists those that are."""
    path = tmp_path / "keys"
    path.write_text(f"{MANUAL}\nhall {OTHER}\n")
    assert keyfile.read(path) == KEY
    assert keyfile.read(path, "hall").hex() == OTHER
    with pytest.raises(UsageError, match="has no key cellar; there are default, hall"):
        keyfile.read(path, "cellar")
    with pytest.raises(UsageError, match="there is no such key file"):
        keyfile.read(tmp_path / "none")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read as a key file"):
        keyfile.read(path)


def test_a_new_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has one random key, for its owner alone, and is not made twice."""
    path = tmp_path / "keys"
    assert keyfile.main([str(path)]) == 2
    assert "no such key file" in capsys.readouterr().err
    assert keyfile.main([str(path), "--create"]) == 0
    first = path.read_bytes()
    assert re.fullmatch(rb"default [0-9A-F]{32}\n", first)
    assert path.stat().st_mode & 0o777 == 0o600
    assert keyfile.main([str(path), "--create", "--send", "ae"]) == 0
    assert path.read_bytes() == first
    other = tmp_path / "other"
    keyfile.create(other)
    assert other.read_bytes() != first


SOURCE = """\
#include <tinysec_key.h>
#include <wardmote/tinysec.h>
static const unsigned char encryption[] = TINYSEC_ENCRYPTION_KEY, mac[] = TINYSEC_MAC_KEY;
_Static_assert(sizeof encryption == 8 && sizeof mac == 8, "two keys of 8 octets");
_Static_assert(TINYSEC_SEND == WM_TINYSEC_AE, "the mode of the makefile");
int main(void) { return encryption[0] == 0x6D && mac[7] == 0x7B ? 0 : 1; }
"""
MAKEFILE = """\
ROOT := {root}/
FW := $(ROOT)firmware
OUT := out
.DEFAULT_GOAL := image
TINYSEC := ae
include $(FW)/tinysec.mk
image: main.c | $(GENERATED)
\tgcc $(CFLAGS) -I$(ROOT)stack/include $< -o $@
"""


def test_one_line_of_a_makefile(root: Path, tmp_path: Path) -> None:
    """It gives an image mode and keys; a key file that is wrong stops the build."""
    (tmp_path / "main.c").write_text(SOURCE)
    (tmp_path / "Makefile").write_text(MAKEFILE.format(root=root))

    def make() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", "KEYFILE=keys"], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    (tmp_path / "keys").write_text(MANUAL[:-1])
    wrong = make()
    assert wrong.returncode != 0
    assert "too short: 31 digits" in wrong.stderr
    assert not (tmp_path / "image").exists()
    (tmp_path / "keys").write_text(MANUAL)
    made = make()
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "out/tinysec/tinysec_key.h").stat().st_mode & 0o077 == 0
    subprocess.run([tmp_path / "image"], check=True)
    (tmp_path / "keys").unlink()
    (tmp_path / "image").unlink()
    assert make().returncode == 0, "a file that is not there is made"
    assert (tmp_path / "keys").read_text() != MANUAL
