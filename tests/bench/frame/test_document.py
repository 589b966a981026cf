# SPDX-License-Identifier: BSD-3-Clause
"""docs/how-do-i-read-secured-frames.md says what the command does: its examples run, its output is
the command's."""

import re
import shlex
from pathlib import Path

import pytest

from tests.bench.frame.captures import pcap, tap
from tests.bench.frame.command import run
from tests.bench.frame.network import K2, KEY, data_frame, in_clear, on_air
from wardmote.frame.keys import read_network


@pytest.fixture
def document(root: Path) -> str:
    """The document."""
    return (root / "docs/how-do-i-read-secured-frames.md").read_text(encoding="utf-8")


def blocks(document: str) -> list[str]:
    """Its indented blocks."""
    found = re.findall(r"(?:^    .*\n)+", document, re.MULTILINE)
    return ["".join(line[4:] for line in block.splitlines(keepends=True)) for block in found]


def test_the_table_is_the_commands(document: str) -> None:
    """A capture as the document describes it gives the table that it prints."""
    octets = [on_air(data_frame(seq=i, counter=i)) for i in range(1, 41)]
    octets[3] = octets[4] = in_clear(data_frame())
    octets[11], octets[12] = (on_air(data_frame(counter=i, index=9)) for i in (12, 13))
    octets[30] = octets[20]
    done = run("unsecure", "--key", KEY, given=pcap(tap(one) for one in octets))
    assert done.code == 1
    assert done.err in blocks(document)


def test_the_examples_with_hex_run(document: str) -> None:
    """Every example that needs no file is accepted, and what stands below the malformed one is what
    it prints."""
    commands = [
        line
        for block in blocks(document)
        for line in block.splitlines()
        if line.startswith("wardmote frame")
    ]
    with_hex = [
        line for line in commands if re.search(r" [0-9a-f]{12,}", line) and "pcap" not in line
    ]
    assert len(with_hex) == 3
    for line in with_hex:
        done = run(*shlex.split(line)[2:])
        assert done.code == ("29ec07cdab02" in line.split()), done
        if done.code:
            assert "\n".join([line, *done.lines]) + "\n" in blocks(document)
    [line_of_hex] = [block for block in blocks(document) if block.startswith("asn=")]
    assert run("unsecure", "-", "--key", f"2:{K2.hex()}", given=line_of_hex.encode()).code == 0


def test_every_option_is_in_the_document(document: str) -> None:
    """No option is left unsaid, and the short keys file in the document is one."""
    help_text = "".join(run(name, "--help").out.decode() for name in ("show", "secure", "unsecure"))
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", help_text)) - {"--help", "--output"}
    assert {option for option in options if option not in document} == set()


def test_the_short_keys_file_is_one(document: str, tmp_path: Path) -> None:
    """The two keys of the document are read as they stand."""
    [text] = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    (tmp_path / "keys.toml").write_text(text)
    network = read_network(str(tmp_path / "keys.toml"), [])
    assert [(key.name, key.key_index, key.octets) for key in network.keys] == [
        ("K1", 1, b"6TiSCH minimal15"),
        ("K2", 2, K2),
    ]
