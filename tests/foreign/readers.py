# SPDX-License-Identifier: BSD-3-Clause
"""Readers of the formats in which others publish vectors. Each yields cases; none knows what they
are for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

NESSIE_HEAD = re.compile(r"Set (\d+), vector#\s*(\d+)")
NESSIE_LINE = re.compile(r"\s*([A-Za-z][^=]*?)\s*=\s*([0-9A-Fa-f]*)\s*$")
NESSIE_MORE = re.compile(r"\s+([0-9A-Fa-f]+)\s*$")
KAT_LINE = re.compile(r"(\w+) =\s*([0-9A-Fa-f]*)\s*$")
CHAIN_LINE = re.compile(r"\s*(\d+):\s*([0-9A-Fa-f]*)(?:,\s*([0-9A-Fa-f]+))?\s*$")
CHAIN_HEAD = re.compile(r"(?:Cipher|Hash):\s*(\S+)|(?:CCM|EAX|OMAC|HMAC)-(\S+)")
KETJE_HEAD = re.compile(r"initialize with key of (\d+) bits, nonce of (\d+) bits")


def text_of(path: Path) -> str:
    """The text of the file, with any line ends. Only comments have characters outside ASCII."""
    return path.read_text(encoding="latin-1").replace("\r\n", "\n")


def nessie(path: Path) -> Iterator[dict[str, bytes]]:
    """`name = hex` under `Set s, vector# n`, values over several lines: the format of NESSIE,
    eSTREAM and others."""
    case: dict[str, bytes] = {}
    last = ""
    for line in text_of(path).splitlines():
        if NESSIE_HEAD.search(line):
            if case:
                yield case
            case, last = {}, ""
        elif found := NESSIE_LINE.match(line):
            last = found[1].strip()
            case[last] = bytes.fromhex(found[2])
        elif last and (found := NESSIE_MORE.match(line)):
            case[last] += bytes.fromhex(found[1])
        else:
            last = ""
    if case:
        yield case


def kat(path: Path) -> Iterator[dict[str, bytes]]:
    """Known-answer tests as NIST's lightweight competition has them: paragraphs of `Name = hex`."""
    for paragraph in text_of(path).split("\n\n"):
        lines = [
            found
            for found in map(KAT_LINE.match, paragraph.splitlines())
            if found and found[1] != "Count"
        ]
        case = {found[1]: bytes.fromhex(found[2]) for found in lines}
        if case:
            yield case


def chains(path: Path) -> dict[str, list[tuple[int, list[tuple[bytes, bytes]]]]]:
    """libtomcrypt's notes: algorithm -> runs of (octets of key, or 0 if not said; outputs in
    order)."""
    found: dict[str, list[tuple[int, list[tuple[bytes, bytes]]]]] = {}
    name, octets = "", 0
    for line in text_of(path).splitlines():
        if head := CHAIN_HEAD.match(line):
            name, octets = (head[1] or head[2]).lower(), 0
            size = re.search(r"\((\d+) byte key\)", line)
            found.setdefault(name, []).append((int(size[1]) if size else octets, []))
        elif name and (key := re.match(r"Key Size:\s*(\d+)", line)):
            if found[name][-1][1]:
                found[name].append((int(key[1]), []))
            else:
                found[name][-1] = (int(key[1]), [])
        elif name and (row := CHAIN_LINE.match(line)):
            found[name][-1][1].append((bytes.fromhex(row[2]), bytes.fromhex(row[3] or "")))
    return found


def ketje(path: Path) -> Iterator[tuple[int, int, dict[str, bytes], list[dict[str, bytes]]]]:
    """Ketje's own: bits of key and of nonce, both, and the messages of one session in order."""
    for record in text_of(path).split("***")[1:]:
        head = KETJE_HEAD.search(record)
        if head is None:
            continue
        paragraphs = [_named(part) for part in record.split("\n\n")]
        yield (
            int(head[1]),
            int(head[2]),
            paragraphs[0],
            [one for one in paragraphs[1:] if "tag" in one],
        )


def _named(paragraph: str) -> dict[str, bytes]:
    pairs = (line.split(":", 1) for line in paragraph.splitlines() if ":" in line)
    return {name.strip(): bytes.fromhex(octets) for name, octets in pairs}
