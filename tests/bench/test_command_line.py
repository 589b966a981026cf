# SPDX-License-Identifier: BSD-3-Clause
"""The command line as a user meets it: what it writes where, what it returns, and how it
refuses."""

import csv
import io
import json
import os
import re
import struct
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from wardmote import cli
from wardmote._motes import Program
from wardmote.commands import proof
from wardmote.errors import CLOSED_PIPE, EXIT_CODES, NothingError

FIELDS_PROMISED = (
    *("board", "strategy", "level", "ash_octets", "clock_hz"),
    *("sec1_cycles", "sec2_cycles", "sec3_cycles", "sec4_cycles"),
    *("ts_tx_offset_us", "ts_tx_ack_delay_us", "ts_slot_duration_us"),
    *("exchanges", "lost", "energy_uj", "published_ms"),
)
QUICK = (
    "slot",
    "--board",
    "telosb",
    "--strategy",
    "hardware",
    "--level",
    "5",
    "--exchanges",
    "40",
    "--definition",
    "paper",
)


class Done(NamedTuple):
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


def wardmote(*words: str) -> Done:
    """Runs the command in the process of the test, which spares its start."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = cli.main(words)
    return Done(code, out.getvalue(), err.getvalue())


def refused(*words: str) -> str:
    """The one line with which a command is refused."""
    done = wardmote(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("wardmote: ")
    return lines[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("slot", "--board", "mica2"), "no board 'mica2': possible are telosb"),
        (("slot", "--level", "9"), "no level '9': possible are none, MIC-32"),
        (
            ("slot", "--strategy", "magic"),
            "no strategy 'magic': possible are software, hybrid, hardware",
        ),
        (("slot", "--clock", "16MHz"), "no clock '16MHz': possible are 8MHz, 6.7MHz, 4.19MHz"),
        (
            ("slot", "--board", "openmote-cc2538", "--clock", "8MHz"),
            "no clock '8MHz': possible are 32MHz, 16MHz",
        ),
        (("slot", "--frame-octets", "20"), "no frame-octets 20: possible are 53 to 127"),
        (
            ("footprint", "--board", "mica2"),
            "no board 'mica2': possible are telosb, openmote-cc2538",
        ),
        (("energy", "no-such-folder"), "no report in no-such-folder"),
        (("battery", "no-such-folder"), "no report in no-such-folder"),
        (("battery", __file__), "it is a file, and a report is a folder"),
        (("compare", "--columns", "all,hight"), "no column 'hight': possible are all, figure"),
        (("battery", "--cells", "101"), "no number of cells 101: possible are 1 to 100"),
        (("battery", "--payload", "0"), "no payload 0: possible are 1 to 104"),
        (("battery", "--every", "0"), "no every 0: possible are more than 0, up to 1e+06"),
        (("battery", "--every", "nan"), "no every nan: possible are more than 0"),
        (("battery", "--beacons", "4"), "no number of beacons 4: give an odd one"),
        (("battery", "--leakage", "-1"), "no leakage -1: possible are 0 to"),
        (("battery", "--battery-mah", "nan"), "no battery-mah nan: possible are more than 0"),
        (("battery", "--battery", "lemon"), "no battery 'lemon': possible are two-aa"),
        (("battery", "--battery", "no-such.toml"), "no-such.toml: no record of a battery"),
        (("throughput", "--n-i", "102"), "no number of sending slots 102: possible are 1 to 101"),
        (("compare", "no-such-folder"), "no report in no-such-folder"),
        (("sweep", "--key-id-mode", "7"), "no key-id-mode '7': possible are 0, 1, 2, 3"),
        (
            ("trace", "--strategy", "magic"),
            "no strategy 'magic': possible are software, hybrid, hardware",
        ),
        (("slot", "--format", "xml"), "no format 'xml': possible are table, json, csv, markdown"),
        (("slot", "--ash", "long"), "no ash 'long': possible are paper, 6tisch"),
        (
            ("slot", "--key-id-mode", "4", "--counter", "carried"),
            "no key-id-mode '4': possible are 0, 1, 2, 3",
        ),
        (("slot", "--exchanges", "0"), "no number of exchanges 0: possible are 1 to"),
        (("slot", "--exchanges", "many"), "--exchanges"),
        (("slot", "--max-slot", "10"), "write a number and a unit"),
        (
            ("slot", "--definition", "paper", "--guard", "500us"),
            "--guard is the guard time of deployable: the others have their own",
        ),
        (
            ("slot", "--guard", "90us"),
            "no number of ticks in --guard 3: possible are 4 to 1073",
        ),
        (("slot", "--definition", "short"), "possible are deployable, needed, paper"),
        (("slot", "--pcap", "x.pcap"), "--pcap holds one case, this is 63"),
        (("slot", "--nonsense"), "--nonsense"),
        (("sloth",), "Did you mean 'slot'? Possible are slot, sweep, trace"),
        (("report", "no-such-folder"), "no report in no-such-folder"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], says: str) -> None:
    """Whatever is wrong, there is one line on stderr that says so and what is possible, and exit
    code 2."""
    assert says in refused(*words)


@pytest.fixture
def image(slot_images: Path) -> bytes:
    """An image that works."""
    return (slot_images / "slot-hardware.elf").read_bytes()


@pytest.fixture
def broken(tmp_path: Path, image: bytes) -> Path:
    """Folder with images that cannot work, each in its own way."""
    other_cpu = bytearray(image)
    struct.pack_into("<H", other_cpu, 18, 40)  # e_machine := EM_ARM
    nowhere = bytearray(image)
    vector = reset_vector_offset(image)
    struct.pack_into("<H", nowhere, vector, 0x0A00)  # where the MSP430F1611 has no memory
    idle = bytearray(image)
    struct.pack_into("<H", idle, vector, Program(image).symbol("slot_stop")[0])
    contents = {
        "other-cpu": bytes(other_cpu),
        "truncated": image[: len(image) // 3],
        "stub": image[:20],
        "empty": b"",
        "text": b"no executable at all\n" * 20,
        "nowhere": bytes(nowhere),
        "idle": bytes(idle),
    }
    for name, octets in contents.items():
        (tmp_path / f"{name}.elf").write_bytes(octets)
    return tmp_path


def reset_vector_offset(elf: bytes) -> int:
    """Where in the file the word for address 0xFFFE lies."""
    table, entry, count = struct.unpack_from("<I", elf, 28)[0], *struct.unpack_from("<HH", elf, 42)
    for index in range(count):
        kind, offset, _, address, size = struct.unpack_from("<5I", elf, table + entry * index)
        if kind == 1 and address <= 0xFFFE < address + size:
            return int(offset + 0xFFFE - address)
    raise AssertionError("the image has no reset vector")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("other-cpu", "MSP430"),
        ("truncated", ""),
        ("stub", ""),
        ("empty", ""),
        ("text", "ELF"),
        ("nowhere", "0x0a00"),
        ("idle", "image never joins"),
        ("missing", "No such file"),
    ],
)
def test_bad_image_is_one_line_and_nothing_is_written(broken: Path, name: str, says: str) -> None:
    """An image for another CPU, broken, jumping to nowhere or never joining is named with why; no
    file appears."""
    path = broken / f"{name}.elf"
    pcap, report = broken / "out.pcap", broken / "report"
    words = ("--level", "5", "--image", str(path), "--pcap", str(pcap), "--report", str(report))
    line = refused("slot", *words)
    assert f"{name}.elf" in line
    assert says.lower() in line.lower()
    assert not pcap.exists()
    assert not report.exists()


def test_other_image_is_one_line(root: Path) -> None:
    """An image that runs but is no image `slot` says so."""
    line = refused(
        "slot", "--level", "5", "--image", str(root / "build/firmware/telosb/primitives-tab.elf")
    )
    assert "slot_node" in line


def test_json_rows_carry_what_was_promised(image: bytes) -> None:
    """JSON on stdout is a list of rows with at least the fields promised, the answer goes to
    stderr."""
    assert image
    done = wardmote(*QUICK, "--format", "json")
    assert done.returncode == 0, done.stderr
    [row] = json.loads(done.stdout)
    assert [name for name in FIELDS_PROMISED if name not in row] == []
    assert row["lost"] == 0
    assert row["published_ms"] == 25.0
    assert row["ash_octets"] == 14
    assert row["provenance"]["compiler"] != "unknown"
    assert row["provenance"]["flags"] != "unknown"
    assert "A TelosB (8 MHz at 3.6 V) needs" in done.stderr


def test_table_ends_with_the_answer(image: bytes) -> None:
    """The table goes to stdout with its conditions above, and one line in words below."""
    assert image
    done = wardmote(*QUICK)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "board: TelosB"
    assert lines[-1].startswith(
        "A TelosB (8 MHz at 3.6 V) needs for a secured slot at ENC-MIC-32 (paper), in ms: hardware "
    )
    assert "published 25" in lines[-1]


def test_csv_and_markdown(image: bytes) -> None:
    """CSV has a line of names and one a row; Markdown a table."""
    assert image
    [row] = list(csv.DictReader(io.StringIO(wardmote(*QUICK, "--format", "csv").stdout)))
    assert row["strategy"] == "hardware"
    assert row["provenance_seed"] == "1"
    assert (
        "| telosb | 8 MHz at 3.6 V | hardware | ENC-MIC-32 | paper |"
        in wardmote(*QUICK, "--format", "markdown").stdout
    )


def test_every_definition_is_one_row_and_says_so(image: bytes) -> None:
    """Without a name, at the usual level, all three definitions; only that of the paper stands
    beside the published figure. A guard time that is asked for is in the row, and one that the
    crystals outrun is refused in one line."""
    assert image
    words = (*QUICK[:-2], "--format", "json")
    rows = json.loads(wardmote(*words, "--definition", "needed", "--definition", "paper").stdout)
    assert [row["definition"] for row in rows] == ["needed", "paper"]
    assert rows[0]["ts_rx_guard_us"] == rows[0]["guard_needed_us"]
    rows = json.loads(wardmote(*words, "--guard", "800us").stdout)
    assert [row["definition"] for row in rows] == ["deployable", "needed", "paper"]
    assert [row["published_ms"] for row in rows] == [None, None, 25]
    assert rows[0]["ts_rx_guard_ticks"] == 26, "the standard's 1 100 us are 36 ticks, 800 us 26"
    assert rows[0]["offset_set_by"] == "guard time"
    line = refused(*QUICK[:3], "--strategy", "software", "--level", "5", "--guard", "160us")
    assert "a guard time of 153 us is less than the 214 us" in line


def test_threshold_sets_the_exit_code(image: bytes) -> None:
    """`--max-slot` fails with 1 below the slot and not above it, and names the case. The rows are
    printed either way."""
    assert image
    too_long = wardmote(*QUICK, "--format", "csv", "--max-slot", "7ms")
    assert too_long.returncode == 1
    assert "hardware" in too_long.stdout
    [row] = csv.DictReader(io.StringIO(too_long.stdout))
    needs = f"needs {float(row['ts_slot_duration_us']):.0f} us (paper), longer than --max-slot 7ms"
    assert f"wardmote: telosb hardware ENC-MIC-32 {needs}\n" in too_long.stderr
    assert wardmote(*QUICK, "--format", "csv", "--max-slot", "100ms").returncode == 0


def test_more_exchanges_than_asked_for_are_explained(image: bytes) -> None:
    """A proof has a whole slotframe of exchanges in its first way: fewer are not run, and a note says
    so. A usual proof has more in each way: as many are run as were asked for, without a note."""
    assert image
    few = wardmote(*QUICK, "--format", "json", "--exchanges", "1")
    [row] = json.loads(few.stdout)
    assert row["exchanges"] > 1
    note = f"{row['exchanges']} exchanges were run where 1 were asked for: the energy is measured"
    assert note in few.stderr
    as_many = wardmote(*QUICK, "--format", "json", "--exchanges", "1000")
    assert json.loads(as_many.stdout)[0]["exchanges"] == 1000
    assert "were asked for" not in as_many.stderr


def test_same_seed_same_octets(image: bytes, tmp_path: Path) -> None:
    """The same seed twice gives the same rows and the same capture, byte for byte; the capture
    holds every exchange."""
    assert image
    outputs = []
    for name in ("first", "second"):
        pcap = tmp_path / f"{name}.pcap"
        done = wardmote(*QUICK, "--format", "json", "--seed", "7", "--fresh", "--pcap", str(pcap))
        assert done.returncode == 0, done.stderr
        outputs.append((done.stdout, pcap.read_bytes()))
    assert outputs[0] == outputs[1]
    assert len(outputs[0][1]) > 40 * 127


def test_report_folder_is_complete_and_shown_again(
    image: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--report` writes every view; `wardmote report` shows the same rows again; the page asks the
    net for nothing."""
    assert image
    folder = tmp_path / "report"
    assert cli.main([*QUICK, "--report", str(folder)]) == 0
    measured = capsys.readouterr().out
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "index.html",
        "explorer.html",
        "explorer.json",
        "rows.json",
        "rows.csv",
        "table.md",
        "slots.svg",
        "telosb-hardware-level5.pcap",
    }
    for name in ("index.html", "explorer.html"):
        page = (folder / name).read_text()
        assert "<svg" in page or "svgNode" in page
        assert not [word for word in ("src=", "@import", "<link", "fetch(") if word in page]
    assert cli.main(["report", str(folder)]) == 0
    assert capsys.readouterr().out == measured


def test_the_readme_lists_exit_codes(root: Path) -> None:
    """Every exit code with its meaning, as the table of the bench has it."""
    text = (root / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    assert {int(code): meaning for code, meaning in rows} == EXIT_CODES


def test_version() -> None:
    """`--version` says which, in a process of its own."""
    command = [sys.executable, "-m", "wardmote", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("wardmote ")


@pytest.mark.parametrize("words", [("--help",), ("slot", "--help"), ()], ids=" ".join)
def test_a_help_text_that_is_cut_ends_quietly(words: tuple[str, ...]) -> None:
    """`| head` ends a help text with the code of a closed pipe, not with a threshold's."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "wardmote", *words],
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (CLOSED_PIPE, b"")


def test_what_nobody_reads_any_more_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe may be closed while the last octets of a help text wait for it, behind a wrapper that
    ignores every flush."""
    read, write = os.pipe()
    with open(write, "wb", buffering=0) as raw:
        before = io.TextIOWrapper(raw, write_through=True)
        monkeypatch.setattr(sys, "stdout", before)
        with cli._whole_output():
            os.close(read)
            sys.stdout.write("no end of line")
            monkeypatch.setattr(sys, "stdout", io.StringIO())
        assert sys.stdout is before
        before.detach()


def test_a_sweep_says_beforehand_how_much_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of cases and a time come before the first case is measured; one case needs no
    word."""

    def begun(*_: object) -> None:
        raise NothingError("the work begins")

    monkeypatch.setattr(proof, "slot_rows", begun)
    said = wardmote("sweep", "--board", "telosb", "--exchanges", "1000").stderr.splitlines()
    assert len(said) == 2
    assert re.match(
        r"24 cases of 1000 exchanges: up to about \d+ s if this machine is slow; ", said[0]
    )
    one = ("--strategy", "hardware", "--key-id-mode", "1", "--counter", "elided")
    again = wardmote("sweep", "--board", "telosb", *one).stderr.splitlines()
    assert again == said[1:]
