# SPDX-License-Identifier: BSD-3-Clause
"""How fast an emulated mote with its devices runs an image `primitives-...`, compared with another
simulator.

Both run in turn, several times. Each pair of runs gives a ratio of processor times, and the median
of the ratios counts: a machine that is faster or slower for a moment changes one pair. Both must
compute the same block.
"""

import functools
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal, NamedTuple

from wardmote._motes import Simulation
from wardmote.errors import ImageError, UsageError
from wardmote.paths import BUILD, ROOT
from wardmote.units import PS_PER_S

END = "primitives_done"
RESULT = "primitives_result"
ROUNDS = 5
MOST_ROUNDS = 31
ENOUGH_S = 2.0
"""A short image runs more often than ROUNDS: until both together took so long, or MOST_ROUNDS."""
SLICE_PS = PS_PER_S // 100
LONGEST_PS = 600 * PS_PER_S
BLOCK_OCTETS = 16
Band = Literal["low", "high"]
Places = Mapping[str, int]
"""Addresses of symbols of an image."""
SHOWN = re.compile(r"^\s+[0-9a-f]{5}:((?: [0-9a-f]{2}){16})", re.MULTILINE)


class Run(NamedTuple):
    """One run of the image to its end."""

    seconds: float
    result: bytes


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """The same image on the emulated board and in another program."""

    image: str
    cycles: int
    seconds: float
    """Median of the runs."""
    other: str
    other_seconds: float
    """Median of the runs."""
    ratio: float
    """How many times as fast the board is: median of the pairs of runs."""
    result: bytes
    rounds: int


def emulate(board: str, image: Path, band: Band | None) -> tuple[Run, int, Places]:
    """Runs the image on an emulated board with all its devices, at one end of the timing band.
    Returns the run, its cycles, and where its end and its result lie."""
    simulation = Simulation(1)
    mote = simulation.add_mote(board, image.read_bytes(), "bench", band=band)
    places = {name: simulation.symbol(mote, name)[0] for name in (END, RESULT)}
    begun = time.process_time()
    while simulation.cpu(mote)["symbol"].split("+")[0] != END:
        if simulation.now_ps > LONGEST_PS:
            raise ImageError(
                f"{image.name} does not reach {END} in {LONGEST_PS // PS_PER_S} simulated seconds"
            )
        simulation.run_for(SLICE_PS)
    seconds = time.process_time() - begun
    result = bytes(simulation.read(mote, places[RESULT], BLOCK_OCTETS))
    return Run(seconds, result), simulation.cpu(mote)["cycles"], places


def _children_seconds() -> float:
    """Processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_mspdebug(image: Path, places: Places) -> Run:
    """The image in mspdebug's simulator, from reset to a breakpoint at its end, loading
    included."""
    program = shutil.which("mspdebug")
    if program is None:
        raise UsageError("mspdebug is not installed: `make setup` installs it")
    orders = (
        f"prog {image}",
        f"setbreak 0x{places[END]:x}",
        "run",
        f"md 0x{places[RESULT]:x} {BLOCK_OCTETS}",
    )
    begun = _children_seconds()
    done = subprocess.run(
        [program, "-q", "sim", *orders],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = _children_seconds() - begun
    if not (shown := SHOWN.search(done.stdout)):
        raise ImageError(
            f"mspdebug does not show {RESULT}: {done.stdout.strip().splitlines()[-1:]}"
        )
    return Run(seconds, bytes.fromhex(shown[1]))


def in_unicorn(image: Path, places: Places) -> Run:
    """The image in unicorn, without hooks; only the emulation is in the time."""
    script = ROOT / "scripts/run_in_unicorn.py"
    command = [
        sys.executable,
        str(script),
        str(image),
        hex(places[END]),
        hex(places[RESULT]),
        str(BLOCK_OCTETS),
    ]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    seconds, block = done.stdout.split()
    return Run(float(seconds), bytes.fromhex(block))


@functools.cache
def simavr_driver() -> Path:
    """Compiles a driver of libsimavr. No code of the project is linked with it."""
    driver, source = BUILD / "bench/run_in_simavr", ROOT / "scripts/run_in_simavr.c"
    driver.parent.mkdir(parents=True, exist_ok=True)
    command = [
        "gcc",
        "-O2",
        "-isystem/usr/include/simavr",
        str(source),
        "-o",
        str(driver),
        "-lsimavr",
    ]
    subprocess.run(command, capture_output=True, text=True, check=True)
    return driver


def in_simavr(image: Path, places: Places) -> Run:
    """The image in libsimavr; only the emulation is in the time."""
    driver = simavr_driver()
    raw = driver.with_name(f"{image.stem}.bin")
    subprocess.run(["avr-objcopy", "-O", "binary", str(image), str(raw)], check=True)
    # Data addresses of an ELF file have an offset.
    command = [
        str(driver),
        "atmega128",
        str(raw),
        hex(places[END]),
        hex(places[RESULT] & 0xFFFF),
        str(BLOCK_OCTETS),
    ]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    seconds, block = done.stdout.split()
    return Run(float(seconds), bytes.fromhex(block))


def compare(
    board: str,
    image_name: str,
    band: Band | None,
    other: str,
    run_other: Callable[[Path, Places], Run],
) -> SpeedRow:
    """Runs both in turn, several times. Raises ImageError if they compute different blocks."""
    image = BUILD / f"firmware/{board}/{image_name}.elf"
    if not image.is_file():
        raise UsageError(f"no image {image.relative_to(ROOT)}: build it with `make firmware`")
    ours: list[float] = []
    theirs: list[float] = []
    while len(ours) < ROUNDS or (sum(ours + theirs) < ENOUGH_S and len(ours) < MOST_ROUNDS):
        run, cycles, places = emulate(board, image, band)
        oracle = run_other(image, places)
        if run.result != oracle.result:
            raise ImageError(
                f"results differ: {run.result.hex()} here, {oracle.result.hex()} in {other}"
            )
        ours.append(run.seconds)
        theirs.append(oracle.seconds)
    where = "" if band is None else f", {band} end of the band"
    return SpeedRow(
        f"{board} {image_name}{where}",
        cycles,
        median(ours),
        other,
        median(theirs),
        median(there / here for here, there in zip(ours, theirs, strict=True)),
        run.result,
        len(ours),
    )
