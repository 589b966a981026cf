# SPDX-License-Identifier: BSD-3-Clause
"""Key files as TinyOS has them for TinySec, and the header that firmware takes its keys from.

A line is a name and 32 hexadecimal digits: 8 octets of key for encryption, then 8 for the tag. `#`
begins a comment. `python -m wardmote.keyfile KEYFILE --send auth` prints the header;
firmware/tinysec.mk calls it.
"""

from __future__ import annotations

import argparse
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from wardmote.errors import UsageError

KEY_OCTETS = 16
HALF = KEY_OCTETS // 2
NAME = re.compile(r"\w+")
HEX = re.compile(r"[0-9A-Fa-f]*")
FIRST_NAME = "default"
MODES = ("auth", "ae", "plain")


def parse(text: str, origin: str) -> dict[str, bytes]:
    """The keys of a file by name, in its order; `origin` names it in messages."""
    keys: dict[str, bytes] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        at = f"{origin}, line {number}"
        if len(words) != 2:
            raise UsageError(f"{at}: has {len(words)} words, not a name and 32 hexadecimal digits")
        name, digits = words
        if not NAME.fullmatch(name):
            raise UsageError(f"{at}: a name has letters, digits and _")
        if name in keys:
            raise UsageError(f"{at}: a second key with the name {name}")
        keys[name] = _octets(digits, f"{at}, {name}")
    if not keys:
        raise UsageError(f"{origin}: has no key")
    return keys


def _octets(digits: str, at: str) -> bytes:
    """Messages say how many digits there are and never which."""
    if not HEX.fullmatch(digits):
        raise UsageError(f"{at}: the key has other characters than hexadecimal digits")
    if len(digits) != 2 * KEY_OCTETS:
        long = "long" if len(digits) > 2 * KEY_OCTETS else "short"
        raise UsageError(f"{at}: the key is too {long}: {len(digits)} digits, not {2 * KEY_OCTETS}")
    key = bytes.fromhex(digits)
    if key[:HALF] == key[HALF:]:
        raise UsageError(f"{at}: both halves are the same, but encryption and tag need two keys")
    return key


def read(path: Path, name: str | None = None) -> bytes:
    """The key of that name, or the first of the file."""
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no such key file; --create makes one") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as a key file: {error}") from error
    keys = parse(text, str(path))
    if name is None:
        return next(iter(keys.values()))
    if name not in keys:
        raise UsageError(f"{path}: has no key {name}; there are {', '.join(keys)}")
    return keys[name]


def create(path: Path) -> None:
    """A file with one random key, for its owner alone. One that is there is left alone."""
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        return
    path.write_text(f"{FIRST_NAME} {secrets.token_hex(KEY_OCTETS).upper()}\n", encoding="ascii")


def header(key: bytes, send: str) -> str:
    """C that gives firmware its mode and its two keys."""

    def octets(half: bytes) -> str:
        return "{" + ", ".join(f"0x{octet:02X}" for octet in half) + "}"

    return (
        "/* Made from a key file: secret, and not to be kept. */\n"
        f"#define TINYSEC_SEND WM_TINYSEC_{send.upper()}\n"
        f"#define TINYSEC_ENCRYPTION_KEY {octets(key[:HALF])}\n"
        f"#define TINYSEC_MAC_KEY {octets(key[HALF:])}\n"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Prints the header; 2: a refusal, in words."""
    parser = argparse.ArgumentParser(prog="wardmote.keyfile", description="TinySec's key files")
    parser.add_argument("file", type=Path)
    parser.add_argument("--name", help="of the key; the first of the file without")
    parser.add_argument("--send", choices=MODES, default=MODES[0], help="how packets are sent")
    parser.add_argument("--create", action="store_true", help="make the file if there is none")
    asked = parser.parse_args(words)
    try:
        if asked.create:
            create(asked.file)
        sys.stdout.write(header(read(asked.file, asked.name), asked.send))
    except UsageError as error:
        sys.stderr.write(f"wardmote.keyfile: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
