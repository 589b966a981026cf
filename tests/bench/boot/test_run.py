# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote run` boots programs as they are: what they say is shown, awaited and answered; what went
wrong is one line and an exit code."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest

from wardmote import cli
from wardmote._motes import Simulation
from wardmote.boards import current_of
from wardmote.boot.kept import read_kept
from wardmote.boot.links import read_links
from wardmote.boot.motes import Identities, Mote, Order, boot, numbers
from wardmote.boot.rows import mote_rows, state_rows
from wardmote.boot.run import Run
from wardmote.boot.talk import Answer, Ears, Said, Talk, octets
from wardmote.errors import FAILED, MISSING, USAGE, UsageError
from wardmote.paths import BUILD
from wardmote.views import boot as view

MS = 10**9
BLINK = BUILD / "firmware/micaz/tinysec-none.elf"
SLOT = BUILD / "firmware/telosb/slot-none.elf"
TWO = "telosb", "openmote-cc2538"
PLACES = (0, 0), (0, 1), (1, 0), (1, 1)


@pytest.fixture(scope="module")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """hello.c for the Mica2's ATmega128, as avr-gcc and avr-libc make it."""
    made = tmp_path_factory.mktemp("hello") / "hello.elf"
    source = Path(__file__).with_name("hello.c")
    subprocess.run(["avr-gcc", "-mmcu=atmega128", "-Os", source, "-o", made], check=True)
    return made


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, list[str], str]:
    """Exit code, lines of stdout, stderr."""
    capsys.readouterr()
    code = cli.main(["run", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err


def test_what_motes_say(capsys: pytest.CaptureFixture[str], hello: Path) -> None:
    """Each mote has its identity, each line its time; a line without an end is shown after a while,
    and what cannot be printed by its number."""
    code, lines, _ = run(capsys, f"mica2={hello}:2", "--for", "200ms")
    assert code == 0
    assert [line[14:] for line in lines[:2]] == [
        f"mote {number}: boots hello.elf on mica2, node ID {number}" for number in (1, 2)
    ]
    assert sorted(line[14:] for line in lines[2:6]) == [
        *(r"mote 1: \x01", "mote 1: node 1", r"mote 2: \x01", "mote 2: node 2")
    ]
    assert 0.000_9 < float(lines[2][:12]) < 0.002
    assert lines[-1] == "0.2 s passed."
    hexadecimal = run(capsys, hello, "--board", "MICA2", "--for", "200ms", "--serial", "hex")[1]
    assert [line[14:] for line in hexadecimal[1:3]] == ["mote 1: 6e 6f 64 65 20 31", "mote 1: 01"]


def test_the_line_of_the_computer_has_no_name(hello: Path) -> None:
    """On which line a board talks with a computer depends on the board alone: a mote's name does not
    change when another mote talks."""
    motes = [
        Mote(place, f"mote {place + 1}", board, hello, None) for place, board in enumerate(TWO)
    ]
    said = [view.line(Said(0, place, line, b"x"), motes, view.TEXT) for place, line in PLACES]
    assert [line[14:] for line in said] == [
        *("mote 1 line 0: x", "mote 1: x", "mote 2: x", "mote 2 line 1: x")
    ]


def test_expect_and_send(capsys: pytest.CaptureFixture[str], hello: Path) -> None:
    """An answer goes to the mote that asked for it; the run ends with the last awaited text."""
    words = (hello, "--board", "mica2", "--send", r"\x01=>one\n", "--send", r"heard one=>two\n")
    code, lines, _ = run(capsys, *words, "--expect", "node 1", "--expect", "heard two")
    assert code == 0
    assert [line[14:] for line in lines if "heard" in line] == [
        *(r"mote 1: \x01heard one", "mote 1: heard two")
    ]
    assert lines[-1].startswith("All that was awaited was said within 0.0")
    again = run(capsys, *words, "--expect", "node 1", "--expect", "heard two")[1]
    assert again == lines
    code, lines, _ = run(capsys, *words, "--expect", "heard two", "--expect", "node 1")
    assert (code, lines[-1]) == (FAILED, "Not said within 10 s: 'node 1'")
    code, lines, _ = run(capsys, hello, "--board", "mica2", "--for", "100ms", "--expect", "nodes")
    assert (code, lines[-1]) == (FAILED, "Not said within 0.1 s: 'nodes'")


def test_a_program_that_cannot_go_on(capsys: pytest.CaptureFixture[str], hello: Path) -> None:
    """The line says where; what was said before is shown, and the files are written."""
    table = hello.with_name("charge.csv")
    words = (hello, "--board", "mica2", "--send", r"\x01=>x\n", "--charge", table)
    code, lines, _ = run(capsys, *words)
    assert code == FAILED
    assert [line[14:] for line in lines if "heard" in line] == [r"mote 1: \x01heard x"]
    assert "mote 1: PC 0x1FFE0" in " ".join(lines[-2:])
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert {row["device"] for row in rows} >= {"cpu", "cc1000"}
    assert all(row["schema"] == "MoteStateRow 1" for row in rows)


def test_frames_and_links(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A capture opens; motes of two kinds of radio do not fit into one file, and that is said before
    anything runs."""
    capture = tmp_path / "air.pcap"
    code, lines, _ = run(capsys, f"micaz={BLINK}:2", "--for", "1s", "--pcap", capture)
    assert code == 0
    assert capture.read_bytes()[:4] == bytes.fromhex("4d3cb2a1")
    mixed = (f"micaz={BLINK}", f"mica2={BUILD}/firmware/mica2/tinysec-none.elf")
    code, lines, error = run(capsys, *mixed, "--pcap", tmp_path / "mixed.pcap")
    assert (code, lines) == (USAGE, [])
    assert "a pcap file has one link type" in error
    assert not (tmp_path / "mixed.pcap").exists()


def test_numbers_from_the_factory(
    capsys: pytest.CaptureFixture[str], hello: Path, tmp_path: Path
) -> None:
    """A CC2538 has its number as IEEE address in its information page, as two words, the lower one
    last; a mote that carries none is left out, but counts; and a run that goes on has the same."""
    openmote = BUILD / "firmware/openmote-cc2538/slot-none.elf"
    saved = tmp_path / "saved.json"
    images = (f"openmote-cc2538={openmote}", f"mica2={hello}", f"telosb={SLOT}")
    words = ("--factory-id", "0x124B00000001", "--for", "10ms")
    code, lines, error = run(capsys, *images, *words, "--save", saved)
    assert (code, error) == (0, "")
    assert [line[14:] for line in lines[:3]] == [
        "mote 1: boots slot-none.elf on openmote-cc2538, carries 0x124B00000001",
        "mote 2: boots hello.elf on mica2, node ID 2",
        "mote 3: boots slot-none.elf on telosb, carries 0x124B00000003",
    ]
    kept = read_kept(saved)
    assert kept.setup.identities.factory == 0x124B00000001
    simulation, _ = kept.setup.make()
    assert simulation.read(0, 0x0028_0028, 8).hex() == "4b12000001000000"
    assert run(capsys, "--resume", saved, "--for", "10ms", "--seed", "1")[0] == 0
    code, lines, error = run(capsys, "--resume", saved, "--for", "10ms", "--seed", "2")
    assert (code, lines) == (2, [])
    assert "--resume has its seed already: 1" in error


def test_a_number_of_the_record(hello: Path) -> None:
    """It counts for the boards that have it: ten times the current, ten times the charge."""
    orders = [Order("mica2", hello, 1), Order("micaz", hello, 1)]

    def charges(*texts: str) -> list[float]:
        simulation = Simulation(1)
        changes = numbers(texts, ["mica2", "micaz"])
        one = Run(simulation, boot(simulation, orders, Identities(), changes), [], Talk([], []), 1)
        assert all(isinstance(event, Said) for event in one.events(10 * MS))
        rows = state_rows(one, 1)
        return [row.charge_uc for row in rows if (row.device, row.state) == ("cpu", "active")]

    more = charges("current.cpu.active=89.3")
    assert more == pytest.approx([10 * before for before in charges()])
    assert charges("current.cc1000.rx=1") == charges()


def test_a_table_of_links(tmp_path: Path) -> None:
    """A link that is cut is cut, from its time on and in its direction."""
    table = tmp_path / "links.csv"
    table.write_text(
        "sender, receiver, prr, path_loss_db, time_s, both\n2,1,0,,,\n1,2,,none,0.5,1\n"
    )
    first, *rest = read_links(table, 2)
    assert (first.sender, first.receiver, first.prr, first.at_ps) == (1, 0, 0, 0)
    assert [(link.sender, link.receiver, link.at_ps) for link in rest] == [
        *((0, 1, 500 * MS), (1, 0, 500 * MS))
    ]
    simulation = Simulation(1)
    one, two = (simulation.add_station(name) for name in ("one", "two"))
    psdu = bytes.fromhex("418800ffffffff0100")

    def heard(sender: int, receiver: int) -> int:
        simulation.send(sender, psdu)
        simulation.run_for(20 * MS)
        simulation.heard(sender)
        return len(simulation.heard(receiver))

    assert (heard(one, two), heard(two, one)) == (1, 1)
    first.set(simulation)
    assert (heard(one, two), heard(two, one)) == (1, 0)
    rest[0].set(simulation)
    assert (heard(one, two), heard(two, one)) == (0, 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the first line names columns"),
        ("sender,receiver,quality\n1,2,3\n", "the first line names columns"),
        ("sender,receiver,prr\n1,3,1\n", ":2: receiver '3'; motes are 1 to 2"),
        ("sender,receiver,prr\n0,1,1\n", ":2: sender '0'; motes are 1 to 2"),
        ("sender,receiver,prr\n1,2,1.5\n", ":2: prr '1.5'; it is 0 to 1"),
        ("sender,receiver,prr\n1,2,nan\n", ":2: prr 'nan'; it is 0 to 1"),
        ("sender,receiver,prr\n1,2,none\n", ":2: prr 'none'; it is 0 to 1"),
        ("sender,receiver,rssi_dbm\n1,2,5\n", ":2: rssi_dbm '5'; it is -1000 to 0"),
        (
            "sender,receiver,rssi_dbm,path_loss_db\n1,2,-80,80\n",
            ":2: both path_loss_db and rssi_dbm",
        ),
        ("sender,receiver,path_loss_db\n1,2,-1\n", ":2: path_loss_db '-1'; it is 0 to 1000"),
        ("sender,receiver,prr\n2,2,1\n", ":2: mote 2 has no link to itself"),
        ("sender,receiver,prr\n1,2\n", ":2: neither prr nor path_loss_db nor rssi_dbm"),
        ("sender,receiver,prr,both\n1,2,1,yes\n", ":2: both 'yes'; it is 0 or 1"),
        ("sender,receiver,prr,time_s\n1,2,1,-5\n", ":2: time_s '-5'; it is 0 to 1e+06"),
    ],
)
def test_a_wrong_table(tmp_path: Path, text: str, why: str) -> None:
    """One line names the file, the line and what is possible."""
    table = tmp_path / "links.csv"
    table.write_text(text)
    with pytest.raises(UsageError) as refused:
        read_links(table, 2)
    assert f"{table}" in str(refused.value)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["no.elf", "--board", "mica2"], MISSING, "no.elf: No such file or directory"),
        (["no.elf"], USAGE, "no.elf: on which board? Give --board, or BOARD=no.elf"),
        (["sky=no.elf"], USAGE, "no board 'sky': possible are telosb"),
        ([], USAGE, "no image: give [BOARD=]IMAGE[@ADDRESS][:N], or --resume FILE"),
        (["mica2=no.bin@here"], USAGE, "no address 'here': write a number such as 0x4000"),
        (["mica2=no.elf:0"], USAGE, "'0' motes; possible are 1 to 1000"),
        (["mica2=no.elf:many"], USAGE, "'many' motes; possible are 1 to 1000"),
        (["mica2=no.elf:999", "mica2=no.elf:2"], USAGE, "1001 motes: possible are 1 to 1000"),
        (["mica2=no.elf", "--for", "0s"], USAGE, "no duration '0s'"),
        (["mica2=no.elf", "--expect", ""], USAGE, "no text to expect"),
        (["mica2=no.elf", "--send", r"\q"], USAGE, r"after \ comes n, r, t, 0, \ or xNN"),
        (["mica2=no.elf", "--baud", "0"], USAGE, "baud rate"),
        (["mica2=no.elf", "--serial", "xml"], USAGE, "possible are text, hex"),
        (["mica2=no.elf", "--id-address", "there"], USAGE, "no address 'there'"),
        (["mica2=no.elf", "--first-id", "65535"], USAGE, "node ID"),
        (["telosb=no.elf", "--factory-id", "one"], USAGE, "no factory ID 'one': write a number"),
        (["telosb=no.elf", "--factory-id", "-1"], USAGE, "no factory ID '-1': write a number"),
        (
            ["mica2=no.elf", "micaz=no.elf", "--factory-id", "1"],
            USAGE,
            "no board here carries a number from its factory: mica2, micaz",
        ),
        (
            [f"telosb={SLOT}", "--factory-id", "0x1000000000000"],
            USAGE,
            "no number 0x1000000000000 for telosb: it has 48 bits",
        ),
        (["--resume", "x", "--factory-id", "1"], USAGE, "--resume has its images"),
        (["--resume", "x", "--first-id", "2"], USAGE, "--resume has its images"),
        (["--resume", "x", "--board", "mica2"], USAGE, "--resume has its images"),
        (
            ["mica2=no.elf", "--number", "timing.cc2420.vreg_start=1"],
            USAGE,
            "no number 'timing.cc2420.vreg_start' in boards/mica2.toml",
        ),
        (["micaz=no.elf", "--number", "timing.cc2420=1"], USAGE, "no number 'timing.cc2420' in"),
        (["micaz=no.elf", "--number", "timing.cc2420.vreg_start"], USAGE, "write a place and"),
        (["micaz=no.elf", "--number", "timing.cc2420.saes=nan"], USAGE, "write a place and"),
        ([f"micaz={BLINK}", "--number", "timing.cc2420.saes=-1"], USAGE, "timing.cc2420.saes"),
        (
            [f"telosb={BLINK}"],
            USAGE,
            "tinysec-none.elf: this is an ELF for AVR; telosb needs MSP430",
        ),
        ([f"micaz={BLINK}", "--pin", "9"], USAGE, "no pin '9': write port and bit"),
        ([f"micaz={BLINK}", "--vcd", "/"], USAGE, "/ is a folder"),
        ([f"micaz={BLINK}", "--places", "no.csv"], MISSING, "no.csv: No such file or directory"),
        ([f"micaz={BLINK}", "--port", "2=pty"], USAGE, "no mote '2'; motes are 1 to 1"),
        ([f"micaz={BLINK}", "--port", "1.x=pty"], USAGE, "no serial line 'x'"),
        ([f"micaz={BLINK}", "--port", "1.7=pty"], USAGE, "mote 1: no line 7 at 57600 baud"),
        ([f"micaz={BLINK}", "--port", "1=usb"], USAGE, "write pty, tcp:PORT or file:PATH behind ="),
        ([f"micaz={BLINK}", "--port", "1=tcp:65536"], USAGE, "ports are 1 to 65535"),
        ([f"micaz={BLINK}", "--port", "1=file:no.txt"], MISSING, "no.txt: No such file"),
        ([f"micaz={BLINK}", "--port", "1=pty", "--port", "1=pty"], USAGE, "has two ends"),
        ([f"micaz={BLINK}", "--pace", "0"], USAGE, "no pace 0: it is above 0"),
        ([f"micaz={BLINK}", "--asn", "asn", "--pcap", "x"], USAGE, "no mote has this symbol"),
        ([f"micaz={BLINK}", "--asn", "asn"], USAGE, "--asn is about the frames of --pcap"),
        ([f"micaz={BLINK}", "--vcd", "x", "--pcap", "./x"], USAGE, "name the same file"),
        ([f"micaz={BLINK}", "--asn", "asn+x", "--pcap", "x"], USAGE, "no offset 'x'"),
        ([f"micaz={BLINK}", "--save", "x", "--gdb", "0"], USAGE, "no --save with --gdb"),
        ([f"micaz={BLINK}", "--resume", "x"], USAGE, "--resume has its images"),
        (["--resume", "no.json"], MISSING, "no.json: No such file or directory"),
        (["--resume", str(BLINK)], USAGE, "is no run that was saved"),
        ([f"micaz={BLINK}", "--gdb", "x"], USAGE, "no port 'x' for gdb: possible are 1 to 65535"),
        ([f"micaz={BLINK}", "--gdb", "65536"], USAGE, "no port '65536' for gdb"),
        ([f"micaz={BLINK}", "--gdb", "2:0"], USAGE, "no mote '2' for gdb: motes are 1 to 1"),
        ([f"micaz={BLINK}", "--gdb", "1:"], USAGE, "no port '' for gdb"),
        ([f"micaz={BLINK}", "--links", "no.csv"], MISSING, "no.csv: No such file or directory"),
        ([f"micaz={BLINK}", "--pcap", "/"], USAGE, "/ is a folder"),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, why: str
) -> None:
    """One line, and nothing runs."""
    found, lines, error = run(capsys, *words)
    assert (found, lines) == (code, [])
    assert why in error
    assert len(error.splitlines()) == 1


def test_names_with_a_colon_or_an_equals_sign(tmp_path: Path) -> None:
    """A file that is there is taken by its name."""
    for name in ("a:2", "telosb=b", "x=y"):
        (tmp_path / name).touch()
    assert Order.of(f"{tmp_path}/a:2", "mica2").motes == 1
    assert Order.of(f"{tmp_path}/a:2:3", "mica2") == Order("mica2", tmp_path / "a:2", 3)
    assert Order.of(f"{tmp_path}/x=y", "mica2").image == tmp_path / "x=y"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r"a\n\r\t\0\\", b"a\n\r\t\0\\"),
        (r"\x7e\x00~", b"\x7e\x00~"),
        ("ä", "ä".encode()),
        ("", b""),
    ],
)
def test_texts(text: str, wanted: bytes) -> None:
    """What the command line means in octets."""
    assert octets(text) == wanted
    assert Answer.of(f"{text}=>{text}") == Answer(wanted, wanted)
    assert Answer.of(text) == Answer(b"", wanted)


@pytest.mark.parametrize("text", ["\\", r"\x", r"\x1", r"\xg0", r"\u0020"])
def test_wrong_texts(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError):
        octets(text)


def test_lines_of_two_motes() -> None:
    """What two motes say at the same time does not mix, and long lines are cut."""
    ears, said = Ears(), []
    for place, (one, two) in enumerate(
        zip(b"ab\n" + 300 * b"z", b"cd\n" + 300 * b"y", strict=True)
    ):
        for mote, octet in ((0, one), (1, two)):
            if found := ears.hear(place, (mote, 0), octet):
                said.append(found)
    assert said[:2] == [Said(2, 0, 0, b"ab"), Said(2, 1, 0, b"cd")]
    assert [len(one.octets) for one in said[2:]] == [256, 256]
    assert [len(one.octets) for one in ears.quiet(302, 0)] == [44, 44]
    assert ears.quiet(10**15) == []


def test_talk_in_order() -> None:
    """A text counts only behind the one before it; overlaps are found."""
    talk = Talk([b"aab", b"b"], [Answer(b"ab", b"!")])
    for at, octet in enumerate(b"baaab"):
        talk.hear(at, (0, 0), octet)
    assert (talk.seen, talk.missing) == ([(4, b"aab")], [b"b"])
    assert [*talk.due] == [(4, 0, b"!")]
    talk.hear(5, (3, 0), ord("b"))
    assert talk.done


def test_rows(hello: Path) -> None:
    """What is left of a run: the states of each device fill its time, and their charge is the
    mote's."""
    simulation = Simulation(5)
    motes = boot(simulation, [Order("mica2", hello, 1)], Identities())
    one = Run(simulation, motes, [], Talk([], []), 57_600)
    assert all(isinstance(event, Said) for event in one.events(100 * MS))
    [row] = mote_rows(one, 5, captured=False)
    assert (row.mote, row.board, row.image) == ("mote 1", "mica2", "hello.elf")
    assert (row.seconds, row.serial_octets, row.frames) == (0.1, len("node 1\r\n."), None)
    assert (row.misuse, row.resets, row.seed) == (0, 0, 5)
    assert row.average_ma == pytest.approx(row.charge_mc / row.seconds)
    states = list(state_rows(one, 5))
    assert sum(state.charge_uc for state in states) == pytest.approx(1000 * row.charge_mc)
    assert {state.seed for state in states} == {5}
    for device in {state.device for state in states}:
        seconds = sum(state.seconds for state in states if state.device == device)
        assert seconds == pytest.approx(0.1)
    [cpu] = [state for state in states if (state.device, state.state) == ("cpu", "active")]
    assert cpu.clock_hz == 0
    assert cpu.charge_uc == pytest.approx(1000 * cpu.seconds * cpu.current_ma)
    assert cpu.energy_uj == pytest.approx(3.0 * cpu.charge_uc)
    known = current_of("mica2", "cpu", "active", cpu.clock_hz)
    assert (cpu.kind, cpu.source) == (known.kind, known.source)
