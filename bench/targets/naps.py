# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: 100 motes of a TelosB that are awake for 10 ms in each second, with all devices. Exit
code 1 means that they do not run faster than real time on one core."""

import subprocess
import sys
import time

from wardmote._motes import MoteError, Simulation
from wardmote.errors import MissingError, WardmoteError
from wardmote.paths import BUILD, ROOT
from wardmote.units import PS_PER_S

BOARD = "telosb"
MOTES, SECONDS, ROUNDS = 100, 10, 3
AWAKE = (0.0099, 0.0105)
"""What part of a second is awake."""
LEAST = 1.0


def image() -> bytes:
    """The image `nap`, built now."""
    command = ["make", "-s", "-C", str(ROOT), "-f", "firmware/Makefile"]
    done = subprocess.run(
        [*command, f"BOARD={BOARD}", "FOLDERS=nap"], check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise MissingError(f"cannot build `nap`: {done.stderr.strip().splitlines()[-1:]}")
    return (BUILD / f"firmware/{BOARD}/nap.elf").read_bytes()


def run(octets: bytes) -> tuple[float, float]:
    """Seconds of the motes in a second of processor, and the part of them that the first was awake."""
    simulation = Simulation(1)
    for number in range(MOTES):
        simulation.add_mote(BOARD, octets, str(number), ppm=number - MOTES / 2)
    simulation.run_until(PS_PER_S)
    before = simulation.cpu(0)["cycles"]
    begun = time.process_time()
    simulation.run_for(SECONDS * PS_PER_S)
    taken = time.process_time() - begun
    cpu = simulation.cpu(0)
    return SECONDS / taken, (cpu["cycles"] - before) / cpu["clock_hz"] / SECONDS


def main() -> int:
    """Prints a row."""
    try:
        octets = image()
        speed, awake = max(run(octets) for _ in range(ROUNDS))
    except (WardmoteError, MoteError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    enough = speed >= LEAST and AWAKE[0] <= awake <= AWAKE[1]
    sys.stdout.write(
        f"naps, {MOTES} of {BOARD} awake {1000 * awake:.1f} ms in each second: {speed:.1f} seconds in "
        f"a second of one core, wanted {LEAST:g}: {'ok' if enough else 'slow'}\n"
    )
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
