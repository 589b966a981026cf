# SPDX-License-Identifier: BSD-3-Clause
"""Profiles: every cycle under the function and the line that spends it, as a table, folded stacks
and a flame graph."""

import json
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

import wardmote
from wardmote import cli
from wardmote.call import open_target
from wardmote.cpus import CPU_NAMES, MEASURED_NAMES
from wardmote.errors import OUTPUT, USAGE
from wardmote.linked import linked
from wardmote.measurements.function.profile import Profile
from wardmote.views.flame import flame_graph, folded
from wardmote.views.profile import title_of

EMULATED = MEASURED_NAMES
SVG = "{http://www.w3.org/2000/svg}"
SOURCE = """#include <stdint.h>
#define APART __attribute__((noinline))
static APART uint16_t leaf(volatile uint16_t *p) { return (uint16_t)(*p + *p); } /* leaf */
static APART uint16_t middle(volatile uint16_t *p)
{
    uint16_t sum = leaf(p);
    return (uint16_t)(sum + leaf(p)); /* middle */
}
static inline uint16_t within(volatile uint16_t *p) { return (uint16_t)(*p ^ 0x5A5A); } /* within */
static APART uint16_t down(uint16_t n, volatile uint16_t *p)
{
    return n ? (uint16_t)(down((uint16_t)(n - 1), p) + *p) : 0;
}
static APART uint16_t hops(volatile uint16_t *p) { (void)leaf(p); return middle(p); } /* a tail call */
uint16_t top(uint16_t n, uint16_t word[1])
{
    uint16_t sum = middle(word);
    sum = (uint16_t)(sum + leaf(word));
    sum = (uint16_t)(sum + within(word));
    sum = (uint16_t)(sum + down(n, word));
    return (uint16_t)(sum + hops(word));
}
"""
CALL = "uint16_t top(uint16_t n, uint16_t word[1])"
FILE = ("calls.c", SOURCE)


def profile_on(source: Path, cpu: str) -> Profile:
    """The profile of one call, unoptimised recursion kept."""
    (profile,) = wardmote.profile(
        source, CALL, args=["n=3"], cpus=cpu, flags="-O1 -fno-optimize-sibling-calls"
    )
    return profile


@pytest.mark.parametrize("cpu", EMULATED)
def test_every_cycle_has_its_stack(source: Path, cpu: str) -> None:
    """Stacks add up to the cycles of the call, and so do lines; calls are counted; recursion is
    counted once."""
    profile = profile_on(source, cpu)
    assert sum(profile.folded.values()) == profile.cycles
    assert sum(cost.cycles for cost in profile.functions) == profile.cycles
    assert sum(cost.cycles for cost in profile.lines) == profile.cycles
    by_name = {cost.function: cost for cost in profile.functions}
    assert {
        name: cost.calls for name, cost in by_name.items() if not name.endswith("(inlined)")
    } == {
        **{"top": 1, "middle": 2, "leaf": 6, "down": 4},
        "hops": 1,
    }
    assert by_name["within (inlined)"].calls is None
    assert by_name["top"].cycles_with_callees == profile.cycles
    assert by_name["middle"].cycles < by_name["middle"].cycles_with_callees < profile.cycles
    assert by_name["down"].cycles == by_name["down"].cycles_with_callees
    stacks = set(profile.folded)
    assert ("top", "hops", "middle", "leaf") in stacks
    assert ("top", *["down"] * 4) in stacks
    each = [cost for cost in profile.lines if cost.source == "calls.c:3"]
    assert [cost.cycles for cost in each] == [by_name["leaf"].cycles]


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_tail_calls_and_assembly_keep_their_callers(source: Path, root: Path, cpu: str) -> None:
    """A function that jumps on to another one stands below it; assembly of the shipped binary has
    its name."""
    (profile,) = wardmote.profile(source, CALL, args=["n=3"], cpus=cpu, flags="-Os")
    assert sum(profile.folded.values()) == profile.cycles
    assert all(stack[0] == "top" for stack in profile.folded)
    assert ("top", "hops", "middle", "leaf") in set(profile.folded)
    elf = linked(cpu, ["wm_aes128_tab_encrypt"])
    (profile,) = wardmote.profile(
        elf,
        "void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block)",
        flags="",
        runs=1,
    )
    assert profile.functions[0].function.startswith(("wm_aes128_tab_", "tab_"))
    assert sum(profile.folded.values()) == profile.cycles


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_full_trace_stamps_every_instruction(cpu: str) -> None:
    """A stamp and a stack pointer an instruction: cycles grow, end with the call's, and the return
    restores SP."""
    target = open_target(cpu, "aes128")
    outcome = target.call("wm_aes128_small_encrypt", bytes(176), bytearray(16), trace="full")
    trace = outcome.trace
    assert trace is not None
    assert len(trace.pcs) == len(trace.cycles) == len(trace.sps) > 1000
    assert all(earlier < later for earlier, later in pairwise((0, *trace.cycles)))
    assert trace.cycles[-1] == outcome.cycles
    caller = trace.sps[-1]
    assert outcome.stack_octets is not None
    assert caller - min(trace.sps) <= outcome.stack_octets + 2
    assert max(trace.sps) == caller
    hashed = target.call("wm_aes128_small_encrypt", bytes(176), bytearray(16), trace="hash").trace
    assert hashed is not None
    assert hashed.cycles == hashed.sps == ()


def test_profile_is_that_of_the_row(source: Path) -> None:
    """The profile has the cycles that the row has for the same input, on the Cortex-M3 at the slow
    end."""
    for cpu in EMULATED:
        (row,) = wardmote.measure(source, CALL, args=["n=3"], cpus=cpu, runs=1)
        (profile,) = wardmote.profile(source, CALL, args=["n=3"], cpus=cpu)
        assert profile.cycles == row.cycles_max


def test_flame_graph_is_to_scale(source: Path) -> None:
    """A box for every stack, as wide as its cycles, inside its caller's; the tips tell names and
    cycles."""
    profile = profile_on(source, "msp430")
    image = ElementTree.fromstring(flame_graph(profile.folded, title_of(profile)))
    title = image.findtext(f"{SVG}title")
    assert title == f"top of 2 octets on msp430: {profile.cycles} cycles"
    boxes = []
    for group in image.iter(f"{SVG}g"):
        tip, box = group.findtext(f"{SVG}title"), group.find(f"{SVG}rect")
        assert tip is not None
        assert box is not None
        name, cycles = tip.split(": ")[0], int(tip.split(": ")[1].split(" ")[0])
        boxes.append(
            (
                name,
                cycles,
                float(box.attrib["x"]),
                float(box.attrib["y"]),
                float(box.attrib["width"]),
            )
        )
    scale = boxes[0][4] / profile.cycles
    assert boxes[0][:2] == ("top", profile.cycles)
    for name, cycles, x, y, width in boxes:
        assert width == pytest.approx(cycles * scale, abs=0.02), name
        below = [
            box
            for box in boxes
            if box[3] > y and box[2] <= x + 0.02 and x + width <= box[2] + box[4] + 0.02
        ]
        assert below or name == "top"
    lines = folded(profile.folded).splitlines()
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == profile.cycles
    assert any(line.startswith("top;hops;middle;leaf ") for line in lines)


def test_names_are_escaped(source: Path) -> None:
    """A name with signs that XML keeps for itself is still one text."""
    odd = Profile("avr", "a<b>&c", 1, 2, (), (), {("a<b>&c",): 2})
    assert (
        ElementTree.fromstring(flame_graph(odd.folded, title_of(odd))).findtext(f"{SVG}title")
        == "a<b>&c of 1 octets on avr: 2 cycles"
    )


def test_command_writes_profiles(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder gets three files a CPU, a file .svg its companions; tables are on stdout; data stays
    data."""
    words = ["measure", str(source), "--call", CALL, "--arg", "n=3", "--runs", "1"]
    folder = tmp_path / "profile"
    assert cli.main([*words, "--profile", str(folder)]) == 0
    printed = capsys.readouterr()
    assert {path.name for path in folder.iterdir()} == {
        f"top-{cpu}.{kind}" for cpu in EMULATED for kind in ("svg", "folded", "json")
    }
    assert "by line" in printed.out
    assert "calls.c:3" in printed.out
    costs = json.loads((folder / "top-avr.json").read_text())
    assert costs["functions"][0]["cycles"] >= costs["functions"][1]["cycles"]
    alone = tmp_path / "one.svg"
    assert cli.main([*words, "--cpu", "avr", "--profile", str(alone), "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1
    assert alone.read_text() == (folder / "top-avr.svg").read_text()


def test_jump_behind_a_call_is_no_return(tmp_path: Path) -> None:
    """The innermost of a recursion jumps to where its caller will go on; SP tells that nothing has
    returned."""
    path = tmp_path / "down.S"
    path.write_text(
        ".text\n.globl down\n.type down, @function\ndown:\n    tst r12\n    jz 1f\n    dec "
        "r12\n    call #down\n"
        "1:  inc r12\n    ret\n"
    )
    (profile,) = wardmote.profile(path, "uint16_t down(uint16_t n)", args=["n=3"], cpus="msp430")
    own = [profile.folded[("down",) * depth] for depth in (1, 2, 3, 4)]
    # By the table: tst 1, jz 2, dec 1, call 5, inc 1, ret 3 cycles; the innermost leaves out dec
    # and call.
    assert own == [13, 13, 13, 7]


def test_host_has_no_profile(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A target that counts no cycles is refused; the message names those that do."""
    words = ["measure", str(source), "--call", CALL, "--arg", "n=3", "--runs", "1", "--cpu", "host"]
    assert cli.main([*words, "--profile", str(tmp_path / "profile")]) == 2
    assert (
        "no profile of host, which counts no cycles: name " + " or ".join(MEASURED_NAMES)
        in capsys.readouterr().err
    )
    assert not (tmp_path / "profile").exists()


@pytest.mark.parametrize(
    ("place", "code", "says"),
    [
        ("two.svg", USAGE, "is one file, and there are 5 CPUs: give one --cpu, or a folder"),
        ("costs.txt", USAGE, "give a file .svg, or a folder"),
        ("calls.c/inside", OUTPUT, "Not a directory"),
    ],
)
def test_places_that_cannot_be_written(
    source: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    place: str,
    code: int,
    says: str,
) -> None:
    """Each ends with its code and one line, and nothing is written."""
    words = [
        "measure",
        str(source),
        "--call",
        CALL,
        "--arg",
        "n=3",
        "--runs",
        "1",
        "--profile",
        str(tmp_path / place),
    ]
    assert cli.main(words) == code
    assert says in capsys.readouterr().err.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["calls.c"]
