# SPDX-License-Identifier: BSD-3-Clause
"""What `wardmote run` takes from files and leaves in them: images of octets alone, places, runs that
go on, profiles, coverage; and images that are damaged, which are refused in one line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from wardmote import cli
from wardmote._motes import Simulation
from wardmote.boot.places import read_places
from wardmote.errors import FAILED, USAGE, UsageError
from wardmote.paths import BUILD

MS = 10**9
RADIO = BUILD / "firmware/micaz/tinysec-none.elf"
SLOT = BUILD / "firmware/telosb/slot-software.elf"
FLAGS = ("-mmcu=atmega128", "-gdwarf-4", "-O1", "-fno-inline")
# twice and once are called by main, 3 and 2 times; never is not.
CALLS = """
#include <avr/io.h>
volatile unsigned char sum;
void once(void) { sum++; }
void twice(void)
{
    once();
    once();
}
void never(void) { sum = 0; }
int main(void)
{
    twice();
    once();
    twice();
    twice();
    for (unsigned char i = 0; i < 10; i++)
        sum++;
    if (sum == 0)
        never();
    for (;;) {
    }
}
"""
Ran = tuple[int, list[str], str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs the command: exit code, lines of stdout, stderr."""

    def ran(*words: str | Path) -> Ran:
        capsys.readouterr()
        code = cli.main(["run", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out.splitlines(), said.err

    return ran


def avr(folder: Path, source: Path, *flags: str) -> Path:
    """The program as avr-gcc and avr-libc make it for an ATmega128."""
    elf = folder / f"{source.stem}.elf"
    subprocess.run(["avr-gcc", *FLAGS, *flags, source, "-o", elf], check=True)
    return elf


@pytest.fixture(scope="module")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It says its node ID, and what it hears."""
    return avr(tmp_path_factory.mktemp("hello"), Path(__file__).with_name("hello.c"))


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Functions that call functions."""
    folder = tmp_path_factory.mktemp("calls")
    (folder / "calls.c").write_text(CALLS)
    return avr(folder, folder / "calls.c")


def told(lines: Sequence[str]) -> list[str]:
    """What motes say, with its time."""
    return [line for line in lines if ": " in line[:24] and "boots" not in line]


def test_octets_alone(run: Callable[..., Ran], hello: Path, tmp_path: Path) -> None:
    """The same program as ELF and as octets at an address says the same at the same time."""
    binary = tmp_path / "hello.bin"
    subprocess.run(["avr-objcopy", "-O", "binary", hello, binary], check=True)
    _, lines, _ = run(f"mica2={hello}", "--for", "50ms")
    _, alone, _ = run(f"mica2={binary}@0", "--for", "50ms")
    assert [line[:12] for line in told(lines)] == [line[:12] for line in told(alone)]
    assert len(told(alone)) == 2
    code, _, error = run(f"mica2={binary}@0x1FFF0", "--for", "50ms")
    assert (code, len(error.splitlines())) == (USAGE, 1)
    assert "is outside the ATmega128's memory" in error
    (tmp_path / "empty.bin").touch()
    code, _, error = run(f"mica2={tmp_path}/empty.bin@0")
    assert (code, len(error.splitlines())) == (USAGE, 1)
    assert "a file of octets alone without octets" in error
    code, _, error = run(f"mica2={binary}@0xFFFFFFFF")
    assert (code, len(error.splitlines())) == (USAGE, 1)
    assert "go beyond the last address" in error


def test_images_that_are_damaged(run: Callable[..., Ran], hello: Path, tmp_path: Path) -> None:
    """Cut, for another CPU, with two octets for one address, too large: one line each."""
    whole = hello.read_bytes()
    hexadecimal = tmp_path / "hello.hex"
    subprocess.run(["avr-objcopy", "-O", "ihex", hello, hexadecimal], check=True)
    records = hexadecimal.read_text().splitlines()
    cases = {
        "cut.elf": (whole[: len(whole) // 2], "truncated ELF file"),
        "head.elf": (whole[:30], "truncated ELF file"),
        "cut.hex": ("\n".join(records[:-1]).encode(), "ends without its last record"),
        "twice.hex": ("\n".join([records[0], *records]).encode(), "two records give the octet at"),
        "large.srec": (
            b"S20802000001020304EB\nS804000000FB\n",
            "segment at 0x20000, 4 octets, is outside",
        ),
        "text.txt": (b"hello\n", "neither an ELF file nor Intel HEX nor S-records"),
        "none": (b"", "it begins with nothing (0 octets)"),
    }
    for name, (octets, why) in cases.items():
        (tmp_path / name).write_bytes(octets)
        code, lines, error = run(f"mica2={tmp_path / name}")
        assert (code, lines) == (USAGE, []), name
        assert why in error, error
        assert f"{name}: " in error, error
        assert len(error.splitlines()) == 1, error
    code, lines, error = run(f"telosb={hello}")
    assert "this is an ELF for AVR; telosb needs MSP430" in error


def test_a_run_that_goes_on(run: Callable[..., Ran], hello: Path, tmp_path: Path) -> None:
    """What comes after it is what comes without a pause, octet for octet: text, charge, frames."""
    image = f"mica2={hello}:2"
    words = ("--for", "300ms", "--charge", tmp_path / "one.csv", "--seed", "5")
    one = run(image, *words)
    saved = tmp_path / "saved.json"
    for pause in ("100us", "1ms", "1500us", "30ms", "150ms"):
        first = run(image, "--for", pause, "--save", saved, "--seed", "5")
        rest = f"{300 - json.loads(saved.read_text())['now_ps'] / MS:.6f}ms"
        again = run("--resume", saved, "--for", rest, "--charge", tmp_path / "two.csv")
        # A line that is open at the pause is shown so far, and then whole.
        assert pause != "100us" or told(first[1]) + told(again[1]) == told(one[1])
        assert set(told(one[1])) <= {*told(first[1]), *told(again[1])}
        assert again[1][-6:] == one[1][-6:]
        assert (tmp_path / "two.csv").read_text() == (tmp_path / "one.csv").read_text()


def test_a_run_that_goes_on_hears_what_it_heard(
    run: Callable[..., Ran], hello: Path, tmp_path: Path
) -> None:
    """What came from outside before the pause comes again; a run can be saved more than once."""
    text = tmp_path / "text.txt"
    text.write_bytes(b"a\nb\n")
    image = (hello, "--board", "mica2", "--port", f"1=file:{text}")
    one = run(*image, "--for", "200ms", "--charge", tmp_path / "one.csv")
    assert any("heard a" in line for line in one[1])
    saved, later = tmp_path / "saved.json", tmp_path / "later.json"
    run(*image, "--for", "50ms", "--save", saved)
    run("--resume", saved, "--for", "50ms", "--save", later)
    assert len(json.loads(later.read_text())["inputs"]) == 1
    code, lines, _ = run("--resume", later, "--for", "100ms", "--charge", tmp_path / "two.csv")
    assert code == 0
    assert "    0.100000  goes on from here" in lines
    assert (tmp_path / "two.csv").read_text() == (tmp_path / "one.csv").read_text()
    assert one[1][-3:] == lines[-3:]


def test_runs_that_cannot_go_on(run: Callable[..., Ran], hello: Path, tmp_path: Path) -> None:
    """Another image, another emulator, other inputs: each is told, and nothing runs."""
    image = tmp_path / "image.elf"
    image.write_bytes(hello.read_bytes())
    saved = tmp_path / "saved.json"
    run(f"mica2={image}", "--for", "10ms", "--save", saved)
    good = json.loads(saved.read_text())

    def refused(**changed: object) -> str:
        saved.write_text(json.dumps({**good, **changed}))
        code, _, error = run("--resume", saved, "--for", "10ms")
        assert code == USAGE
        assert len(error.splitlines()) == 1
        return error

    assert "was saved by another version of the emulated motes" in refused(emulator="0")
    assert "is no run that was saved in the form" in refused(form="wardmote run 0")
    assert "is damaged" in refused(orders=[{}])
    assert "is damaged" in refused(inputs=[{"at_ps": 0}])
    assert "does not come to where it was" in refused(seed=good["seed"], now_ps=20 * MS)
    image.write_bytes(RADIO.read_bytes())
    assert "is another image now than" in refused()


def test_places(tmp_path: Path) -> None:
    """Motes far apart do not hear each other; one that comes nearer does."""
    table = tmp_path / "places.csv"
    table.write_text("mote,x_m,y_m,z_m,time_s\n1,0,0,0,\n2,3000,4000,,\n3,0,0,7,\n2,3,4,0,1\n")
    distances = read_places(table, 3)
    assert [(one.at_ps, one.one, one.other, one.metres) for one in distances] == [
        (0, 1, 0, 5000.0),
        (0, 2, 0, 7.0),
        (0, 2, 1, pytest.approx(5000.0049)),
        (1000 * MS, 1, 0, 5.0),
        (1000 * MS, 1, 2, pytest.approx(8.602325)),
    ]
    simulation = Simulation(1)
    for name in ("one", "two", "three"):
        simulation.add_station(name)
    psdu = bytes.fromhex("418800ffffffff0100")

    def heard() -> list[int]:
        simulation.send(0, psdu)
        simulation.run_for(20 * MS)
        return [len(simulation.heard(place)) for place in (1, 2)]

    for one in distances[:3]:
        one.set(simulation)
    assert heard() == [0, 1]
    for one in distances[3:]:
        one.set(simulation)
    assert heard() == [1, 1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the first line names columns: mote, x_m and y_m, and some of z_m, time_s"),
        ("mote,x_m,y_m\n4,1,1\n", ":2: mote '4'; motes are 1 to 3"),
        ("mote,x_m,y_m\n1,1,\n", ":2: a mote has both x_m and y_m"),
        ("mote,x_m,y_m\n1,east,1\n", ":2: x_m 'east'; it is -500000 to 500000"),
        ("mote,x_m,y_m,time_s\n1,0,0,-1\n", ":2: time_s '-1'; it is 0 to 1e+06"),
    ],
)
def test_wrong_places(tmp_path: Path, text: str, why: str) -> None:
    """One line names the file, the line and what is possible."""
    table = tmp_path / "places.csv"
    table.write_text(text)
    with pytest.raises(UsageError) as refused:
        read_places(table, 3)
    assert why in str(refused.value)


def test_levels_in_a_table(tmp_path: Path) -> None:
    """A level that arrives of 0 dBm is what a receiver is told."""
    from wardmote.boot.links import read_links

    table = tmp_path / "links.csv"
    table.write_text("sender,receiver,rssi_dbm,both\n1,2,-77,1\n")
    simulation = Simulation(1)
    for name in ("one", "two"):
        simulation.add_station(name)
    for link in read_links(table, 2):
        link.set(simulation)
    for sender in (0, 1):
        simulation.send(sender, bytes.fromhex("418800ffffffff0100"))
        simulation.run_for(20 * MS)
        [(_, _, rssi, _, right)] = simulation.heard(1 - sender)
        assert (rssi, right) == (-77, True)


def test_profile(run: Callable[..., Ran], calls: Path, tmp_path: Path) -> None:
    """Cycles by callers; they are all that the CPU executed, and counting changes nothing."""
    folded = tmp_path / "profile.folded"
    code, _, _ = run(f"mica2={calls}", "--for", "1ms", "--profile", folded)
    assert code == 0
    stacks = dict(line.rsplit(" ", 1) for line in folded.read_text().splitlines())
    cycles = {stack.split(";main", 1)[1]: int(n) for stack, n in stacks.items() if ";main" in stack}
    once, twice = cycles[";once"], cycles[";twice"]
    assert cycles[";twice;once"] == 6 * once
    assert once > 0
    assert twice > 0
    assert ";never" not in cycles
    simulation = Simulation(1)
    free = Simulation(1)
    for each in (simulation, free):
        each.add_mote("mica2", calls.read_bytes(), "1")
    simulation.follow(0)
    for each in (simulation, free):
        each.run_until(5 * MS)
    assert simulation.cpu(0) == free.cpu(0)
    assert sum(cycles for _, cycles in simulation.stacks(0)) == free.cpu(0)["cycles"]
    assert sum(cycles for *_, cycles in simulation.executed(0)) == free.cpu(0)["cycles"]
    graph = tmp_path / "profile.svg"
    run(f"mica2={calls}", "--for", "1ms", "--profile", graph)
    assert ElementTree.fromstring(graph.read_text()).tag.endswith("svg")


@pytest.mark.parametrize("image", [SLOT, BUILD / "firmware/openmote-cc2538/slot-software.elf"])
def test_profiles_of_other_cpus(image: Path) -> None:
    """Every cycle is in a stack, and main is below what starts it."""
    simulation = Simulation(1)
    simulation.add_mote(image.parent.name, image.read_bytes(), "1")
    reset = simulation.cpu(0)["cycles"]
    simulation.follow(0)
    simulation.run_until(20 * MS)
    stacks = simulation.stacks(0)
    assert sum(cycles for _, cycles in stacks) == simulation.cpu(0)["cycles"] - reset
    assert any("main" in functions for functions, _ in stacks)
    assert max(len(functions) for functions, _ in stacks) < 20


def records(text: str, path: Path) -> dict[str, list[str]]:
    """Lines of a tracefile about one source, by their kinds."""
    [record] = [one for one in text.split("end_of_record\n") if f"SF:{path}\n" in one]
    found: dict[str, list[str]] = {}
    for line in record.splitlines():
        kind, _, rest = line.partition(":")
        found.setdefault(kind, []).append(rest)
    return found


def test_coverage(run: Callable[..., Ran], calls: Path, tmp_path: Path) -> None:
    """How often each line and each function was executed, of two motes together."""
    trace = tmp_path / "calls.info"
    code, _, _ = run(f"mica2={calls}:2", "--for", "1ms", "--coverage", trace)
    assert code == 0
    source = calls.with_suffix(".c")
    found = records(trace.read_text(), source)
    called = dict(line.split(",")[::-1] for line in found["FNDA"])
    assert called == {"once": "14", "twice": "6", "never": "0", "main": "2"}
    text = CALLS.splitlines()
    times = {text[int(line.split(",")[0]) - 1].strip(): line.split(",")[1] for line in found["DA"]}
    assert times["void never(void) { sum = 0; }"] == "0"
    assert times["never();"] == "0"
    assert times["void once(void) { sum++; }"] == "14"
    assert times["sum++;"] == "20"
    assert found["FNF"] + found["FNH"] == ["4", "3"]


def test_coverage_needs_lines(run: Callable[..., Ran], calls: Path, tmp_path: Path) -> None:
    """An image without them is refused before it runs."""
    bare = tmp_path / "bare.elf"
    subprocess.run(["avr-strip", "-o", bare, calls], check=True)
    code, lines, error = run(f"mica2={bare}", "--coverage", tmp_path / "x.info")
    assert (code, lines) == (USAGE, [])
    assert "no lines of the source in this image: compile and link it with -gdwarf-4" in error
    binary = tmp_path / "calls.bin"
    subprocess.run(["avr-objcopy", "-O", "binary", calls, binary], check=True)
    code, lines, error = run(f"mica2={binary}@0", "--coverage", tmp_path / "x.info")
    assert (code, lines) == (USAGE, [])
    assert "lines of the source need an ELF file with debug information" in error
    assert not (tmp_path / "x.info").exists()


def test_pins_are_shown(run: Callable[..., Ran], tmp_path: Path) -> None:
    """Pins of the record by their names, others by port and bit, as they move."""
    source = tmp_path / "pin.c"
    source.write_text(
        "#include <avr/io.h>\nint main(void)\n{\n    DDRA = 1; DDRC = 0x20;\n"
        "    PORTA ^= 1; PORTC ^= 0x20; PORTA ^= 1;\n    for (;;) { }\n}\n"
    )
    elf = avr(tmp_path, source)
    code, lines, _ = run(f"mica2={elf}", "--for", "1ms", "--pins", "--pin", "2.5")
    moves = [line[14:] for line in lines if " pin " in line]
    assert code == 0
    assert "mote 1: pin P2.5 high" in moves
    assert len([move for move in moves if "P2.5" not in move]) >= 2
    assert not [line for line in run(f"mica2={elf}", "--for", "1ms")[1] if " pin " in line]


def test_expected_text_still_decides(run: Callable[..., Ran], hello: Path, tmp_path: Path) -> None:
    """What was said before a pause is not awaited behind it."""
    saved = tmp_path / "saved.json"
    run(f"mica2={hello}", "--for", "50ms", "--save", saved)
    code, lines, _ = run("--resume", saved, "--for", "50ms", "--expect", "node 1")
    assert (code, lines[-1]) == (FAILED, "Not said within 0.1 s: 'node 1'")
