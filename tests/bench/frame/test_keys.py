# SPDX-License-Identifier: BSD-3-Clause
"""Keys files: what they say, what is refused and how."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.bench.frame.captures import frames, pcap, tap
from tests.bench.frame.command import refused, run
from tests.bench.frame.network import K2, KEY, LEAF_EXT, ROOT_EXT, data_frame, in_clear, on_air
from tests.model.ieee802154_model import BEACON, HT1, Ash, Beacon, Frame, secure
from wardmote.errors import MissingError, UsageError
from wardmote.frame import native
from wardmote.frame.keys import read_network
from wardmote.frame.words import STATUS_NAMES

KEYED = f'[[key]]\nindex = 2\noctets = "{K2.hex()}"\n'
MINIMAL_K1 = b"6TiSCH minimal15"


def test_the_example_is_read_and_works(root: Path) -> None:
    """The example's keys, policy and devices open the frames they are about, and its comments name
    every field."""
    book = root / "examples/keys.toml"
    beacon = Frame(
        type=BEACON, src=ROOT_EXT, dst=b"\xff\xff", header_ies=HT1, private_part=Beacon(9).payload()
    )
    beacon = beacon.with_ash(Ash(1, 1, None, True, b"", 1))
    implicit = Frame(dst=ROOT_EXT, src=b"\0\2", ash=Ash(5, 0, 4, False), private_part=b"implicit")
    sourced = Frame(
        dst=ROOT_EXT, src=LEAF_EXT, ash=Ash(7, 2, 1, False, bytes.fromhex("cdab0100"), 7)
    )
    capture = pcap(
        [
            tap(secure(beacon, MINIMAL_K1, "asn", 9), 9),
            tap(on_air(data_frame(), 10), 10),
            tap(
                secure(
                    implicit,
                    bytes.fromhex("ffeeddccbbaa99887766554433221100"),
                    "counter",
                    0,
                    LEAF_EXT,
                )
            ),
            tap(secure(sourced, bytes.fromhex("00112233445566778899aabbccddeeff"))),
        ]
    )
    done = run("unsecure", "--keys", book, given=capture)
    assert (done.code, frames(done.out)) == (
        0,
        [in_clear(f) for f in (beacon, data_frame(), implicit, sourced)],
    )
    assert (
        "1 with K1, 1 with K2, 1 with mode 2, index 7, source cdab0100, 1 with mode 0, device 0002"
        in done.err
    )


def test_a_reader_is_none_of_the_senders(tmp_path: Path) -> None:
    """A node of the stack refuses its own frames that come back. A capture has frames of everybody,
    also of the node whose address the file gives."""
    book = tmp_path / "keys.toml"
    book.write_text(f'{KEYED}[network]\next = "{LEAF_EXT.hex()}"\n')
    octets = on_air(data_frame(), 5).hex()
    done = run("unsecure", octets, "--asn", "5", "--keys", book)
    assert (done.code, done.lines) == (0, [in_clear(data_frame()).hex()]), done.err


def test_editions_levels_and_devices_decide(tmp_path: Path) -> None:
    """Edition, levels, usage, devices and counters of the file make the statuses."""
    book = tmp_path / "keys.toml"
    octets = on_air(data_frame(counter=5))

    def status(text: str, frame: bytes = octets) -> str:
        book.write_text(text)
        done = run("unsecure", "--keys", book, given=pcap([tap(frame)]))
        return "SUCCESS" if done.code == 0 else done.err.split("frame 1: ")[1].split(":")[0]

    device = f'[[device]]\next = "{LEAF_EXT.hex()}"\n'
    assert status(KEYED) == "SUCCESS"
    assert status("[levels]\ndata = [6, 7]\n" + KEYED) == "IMPROPER_SECURITY_LEVEL"
    assert status(KEYED + 'usage = ["beacon"]\n') == "IMPROPER_KEY_TYPE"
    assert status('unknown_devices = "refuse"\n' + KEYED) == "UNAVAILABLE_DEVICE"
    assert status(KEYED + device) == "SUCCESS"
    assert status(KEYED + device + "counter = 6\n") == "COUNTER_ERROR"
    assert status('nonce = "tsch"\n' + KEYED) == "UNSUPPORTED_SECURITY"
    assert status('edition = "2011"\n' + KEYED) == "MALFORMED"
    old = Frame(
        version=1,
        dst=ROOT_EXT,
        src=LEAF_EXT,
        ash=Ash(4, 1, 5, False, b"", 2),
        private_part=b"no MIC",
    )
    assert status(KEYED, on_air(old)) == "UNSUPPORTED_SECURITY"
    assert status('edition = "2011"\n' + KEYED, on_air(old)) == "SUCCESS"
    assert (
        status('edition = "2011"\n[levels]\ndata = 5\n' + KEYED, on_air(old))
        == "IMPROPER_SECURITY_LEVEL"
    )
    assert status('edition = "2006"\n[levels]\ndata = 4\n' + KEYED, on_air(old)) == "SUCCESS"


def test_replays_and_default_key_source(tmp_path: Path) -> None:
    """A file may accept replays. The keys of --key are tried after the keys of the file."""
    book = tmp_path / "keys.toml"
    book.write_text('replays = "accept"\n[network]\ndefault_key_source = "0102030405060708"\n')
    twice = pcap([tap(on_air(data_frame(counter=5)))] * 2)
    assert run("unsecure", "--keys", book, "--key", KEY, given=twice).code == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no key: give --keys FILE with a [[key]]"),
        ("[[key", "keys.toml: Expected ']]'"),
        ("colour = 1\n" + KEYED, "no field 'colour': possible are edition, nonce"),
        (
            'edition = "1999"\n',
            "edition: '1999' is not possible: possible are 2006, 2011, 2012e, 2015",
        ),
        ("edition = 2015\n", "edition: 2015 is not possible"),
        ('edition = "2006"\nnonce = "tsch"\n', "nonce: edition 2006 knows counter only"),
        ("[key]\nindex = 1\n", "key: write [[key]], with two brackets"),
        (
            "[[key]]\nindex = 1\n",
            "[[key]] number 1, octets: it is missing: 32 hex digits (16 octets)",
        ),
        (
            KEYED + "colour = 1\n",
            "[[key]] number 1: no field 'colour': possible are name, octets, mode, index",
        ),
        (
            KEYED.replace("cafe", "", 1),
            "[[key]] number 1, octets: a value of 14 octets is not possible",
        ),
        (
            KEYED.replace("index = 2", "index = 0"),
            "index: 0 is not possible: a number from 1 to 255",
        ),
        (KEYED.replace("index = 2", "index = true"), "index: True is not possible"),
        (KEYED.replace("index = 2\n", ""), "index: it is missing: a number from 1 to 255"),
        (KEYED + "mode = 4\n", "mode: 4 is not possible: a number from 0 to 3"),
        (KEYED + "mode = 2\n", "source: it is missing: 8 hex digits (4 octets)"),
        (
            KEYED + 'usage = ["ether"]\n',
            "usage: ['ether'] is not possible: write a list of beacon, data",
        ),
        (KEYED + KEYED, "mode 1, index 2: the same key is there twice, under one name"),
        (KEYED + '[[device]]\nshort = "0001"\n', "[[device]] number 1, pan: it is missing"),
        (
            KEYED + '[[device]]\next = "01"\n',
            "[[device]] number 1, ext: a value of 1 octets is not possible",
        ),
        (
            KEYED + '[[device]]\next = "0000000000000001"\n' * 2,
            "[[device]] number 2: its ext or short is another's in the same pan",
        ),
        (KEYED + '[[device]]\next = "0000000000000001"\nexempt = 1\n', "exempt: 1 is not possible"),
        ("[levels]\ndata = 5\n", "[levels], data: 5 is not possible: a list of levels from 0 to 7"),
        ("[levels]\ndata = [8]\n", "[levels], data: [8] is not possible"),
        (
            "[levels]\nether = [1]\n",
            "[levels]: no field 'ether': possible are beacon, data, ack, command",
        ),
        ('edition = "2006"\n[levels]\ndata = [5]\n', "the least level, 0 to 7"),
        (
            '[network]\npan = "abc"\n',
            "[network], pan: what stands there is not possible: 4 hex digits (2 octets)",
        ),
        ("[network]\npan = 1\n", "[network], pan: 1 is not possible"),
    ],
)
def test_a_wrong_file_is_one_line(text: str, says: str, tmp_path: Path) -> None:
    """A wrong field is named with its file and what is possible; octets of a key are not
    repeated."""
    book = tmp_path / "keys.toml"
    book.write_text(text)
    line = refused("unsecure", "00", "--keys", book)
    assert says in line
    assert "deadbeef" not in line
    assert book.name in line or "no key" in line


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    """A file that is not there, or no text, is named."""
    assert "No such file" in refused("unsecure", "00", "--keys", tmp_path / "none.toml")
    (tmp_path / "bin.toml").write_bytes(b"\xff\xfe")
    assert "no text in UTF-8" in refused("unsecure", "00", "--keys", tmp_path / "bin.toml")


def test_too_many_keys_are_refused() -> None:
    """The table has a fixed number of places for keys. One key more is refused."""
    short = [f"{i % 255 + 1}:{K2.hex()}" for i in range(native.KEYS + 1)]
    assert len(read_network(None, short[:-1]).keys) == native.KEYS
    with pytest.raises(UsageError, match=f"at most {native.KEYS}"):
        read_network(None, short)


def test_status_names_are_those_of_the_stack(root: Path) -> None:
    """Every status of status.h has a name here, and where the header says the standard's name and
    number, the same."""
    text = (root / "stack/include/wardmote/status.h").read_text()
    above = re.findall(r"/\*\* ([^/]*?) \*/\s*WM_(?:ERR_)?(\w+) = (-?\d+)", text)
    beside = re.findall(r"WM_(?:ERR_)?(\w+) = (-?\d+),?\s*/\*\*< (.*)", text)
    found = [*beside, *((short, number, comment) for comment, short, number in above)]
    assert {int(number) for _, number, _ in found} == set(STATUS_NAMES)
    for short, number, comment in found:
        name, value = STATUS_NAMES[int(number)]
        assert short in name or name in comment, name
        if said := re.search(r"0x([0-9A-F]{2})", comment):
            assert value == int(said[1], 16), name
            assert name in comment


def test_the_library_and_its_mirror_agree(root: Path, tmp_path: Path) -> None:
    """Every member of every structure lies in Python where the C compiler puts it."""
    members = [(one, name) for one in native.LAID_OUT for name, *_ in one._fields_]
    lines = [
        f'printf("%zu %zu\\n", offsetof(frames_{one.__name__.lower()}, {name}), '
        f"sizeof ((frames_{one.__name__.lower()} *)0)->{name});"
        for one, name in members
    ]
    source = tmp_path / "layout.c"
    head = '#include <stddef.h>\n#include <stdio.h>\n#include "frames.h"\n'
    source.write_text(head + "int main(void)\n{\n" + "\n".join(lines) + "\n}\n")
    program = tmp_path / "layout"
    subprocess.run(
        ["gcc", f"-I{root / 'bench/native'}", str(source), "-o", str(program)], check=True
    )
    printed = subprocess.run(
        [str(program)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    mirrored = [f"{getattr(one, name).offset} {getattr(one, name).size}" for one, name in members]
    assert mirrored == printed


def test_a_library_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is used only if its structures have the sizes known here."""
    assert native.library().frames_layout() == native.layout()
    monkeypatch.setattr(native, "layout", lambda: 0)
    with pytest.raises(UsageError, match="another version"):
        native.library.__wrapped__()
    monkeypatch.setattr(native, "LIBRARY", "no-such-library.so")
    with pytest.raises(MissingError, match="build it with `make stack`"):
        native.library.__wrapped__()
