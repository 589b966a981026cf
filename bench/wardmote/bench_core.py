# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how fast the emulated mote runs, and what the primitives cost on it.

Image `primitives` runs on the emulated TelosB with all devices attached, and in mspdebug's simulator; both must come to
the same block. Exit code 1 if the instrument is not at least three times as fast. Then the exact cycles of AES-128 and
CCM* on the MSP430, by calling the functions that are shipped.
"""

import re
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from wardmote._motes import MoteError, Simulation
from wardmote.call import Outcome, Target, open_target
from wardmote.errors import ImageError, UsageError, WardmoteError
from wardmote.paths import BUILD, ROOT
from wardmote.units import PS_PER_S

IMAGE = BUILD / "firmware/telosb/primitives.elf"
END = "primitives_done"
RESULT = "primitives_result"
LEAST_RATIO = 3.0
ROUNDS = 5
SLICE_PS = PS_PER_S // 100
LONGEST_PS = 600 * PS_PER_S
BLOCK_OCTETS = 16
SHOWN = re.compile(r"^\s+[0-9a-f]{5}:((?: [0-9a-f]{2}){16})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the image to its end; `seconds` are of processor time, so that a busy machine changes little."""

    seconds: float
    result: bytes


@dataclass(frozen=True, slots=True)
class CostRow:
    """Exact cycles of one operation on the MSP430."""

    operation: str
    cycles: int
    stack_octets: int


def emulate(image: bytes) -> tuple[Run, int, int, int]:
    """Runs the image on an emulated TelosB; with its cycles, and the addresses of its end and its result."""
    simulation = Simulation(1)
    mote = simulation.add_mote("telosb", image, "bench")
    address, _ = simulation.symbol(mote, RESULT)
    end, _ = simulation.symbol(mote, END)
    begun = time.process_time()
    while simulation.cpu(mote)["symbol"].split("+")[0] != END:
        if simulation.now_ps > LONGEST_PS:
            raise ImageError(f"{IMAGE.name} does not reach {END} in {LONGEST_PS // PS_PER_S} simulated seconds")
        simulation.run_for(SLICE_PS)
    seconds = time.process_time() - begun
    result = bytes(simulation.read(mote, address, BLOCK_OCTETS))
    return Run(seconds, result), simulation.cpu(mote)["cycles"], end, address


def children_seconds() -> float:
    """Processor time of all programs this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def mspdebug(program: str, image: Path, end: int, result: int) -> Run:
    """Runs the image in mspdebug's simulator, from reset to a breakpoint at its end, loading included."""
    command = [program, "-q", "sim", f"prog {image}", f"setbreak 0x{end:x}", "run", f"md 0x{result:x} {BLOCK_OCTETS}"]
    begun = children_seconds()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    seconds = children_seconds() - begun
    if not (shown := SHOWN.search(done.stdout)):
        raise ImageError(f"mspdebug does not show {RESULT}: {done.stdout.strip().splitlines()[-1:]}")
    return Run(seconds, bytes.fromhex(shown[1]))


def compare() -> bool:
    """Prints both speeds, best of several alternating runs; whether ours is fast enough."""
    program = shutil.which("mspdebug")
    if program is None:
        raise UsageError("mspdebug is not installed: `make setup` installs it")
    if not IMAGE.is_file():
        raise UsageError(f"no image {IMAGE.relative_to(ROOT)}: build it with `make firmware`")
    image = IMAGE.read_bytes()
    ours: list[float] = []
    theirs: list[float] = []
    cycles = 0
    for _ in range(ROUNDS):
        run, cycles, end, address = emulate(image)
        oracle = mspdebug(program, IMAGE, end, address)
        if run.result != oracle.result:
            raise ImageError(f"results differ: {run.result.hex()} here, {oracle.result.hex()} in mspdebug")
        ours.append(run.seconds)
        theirs.append(oracle.seconds)
    ratio = min(theirs) / min(ours)
    say(f"image {IMAGE.name}: {cycles / 1e6:.1f} M cycles, same result {run.result.hex()}, best of {ROUNDS} runs each")
    say(f"  emulated TelosB, devices attached  {cycles / min(ours) / 1e6:7.1f} M cycles/s")
    say(f"  mspdebug simulator                 {cycles / min(theirs) / 1e6:7.1f} M cycles/s")
    say(f"  ratio {ratio:.2f}, at least {LEAST_RATIO:g} wanted: {'ok' if ratio >= LEAST_RATIO else 'too slow'}")
    return ratio >= LEAST_RATIO


def cost(operation: str, outcome: Outcome) -> CostRow:
    """Cycles and stack of a call; the MSP430 counts both."""
    if outcome.cycles is None or outcome.stack_octets is None:
        raise ImageError(f"{operation}: nothing was counted")
    return CostRow(operation, outcome.cycles, outcome.stack_octets)


def primitive_costs(target: Target) -> list[CostRow]:
    """AES-128 and CCM* of the worst-case frame of `--ash paper`: a = 35, m = 86, tag of 4 octets."""
    a_octets, m_octets, tag_octets = 35, 86, 4
    expanded = target.pack("wm_aes128")
    rows = [cost("AES-128 key expansion", target.call("wm_aes128_expand", expanded, bytes(range(16))))]
    for variant in ("tab", "small"):
        outcome = target.call(f"wm_aes128_{variant}_encrypt", bytes(expanded), bytearray(16))
        rows.append(cost(f"AES-128 {variant}, one block", outcome))
    key = target.buffer(expanded)
    for variant in ("tab", "small"):
        outcome = target.call(
            "wm_ccm_seal",
            target.address_of(f"wm_aes128_{variant}"),
            key,
            bytes(13),
            bytes(a_octets),
            a_octets,
            bytearray(m_octets),
            m_octets,
            bytearray(tag_octets),
            tag_octets,
        )
        if outcome.value:
            raise ImageError(f"wm_ccm_seal refuses the worst-case frame with status {outcome.value}")
        rows.append(cost(f"CCM* seal, {variant}, a = {a_octets}, m = {m_octets}, tag {tag_octets}", outcome))
    return rows


def say(text: str) -> None:
    """One line of output."""
    sys.stdout.write(text + "\n")


def main() -> int:
    """Runs both parts."""
    try:
        fast = compare()
        rows = primitive_costs(open_target("msp430"))
    except (WardmoteError, MoteError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    say("MSP430, cycles of the functions in build/stack/msp430/stack.elf:")
    for row in rows:
        say(f"  {row.operation:<44} {row.cycles:>7} cycles, {row.stack_octets:>4} octets of stack")
    return 0 if fast else 1


if __name__ == "__main__":
    sys.exit(main())
