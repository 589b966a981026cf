# SPDX-License-Identifier: BSD-3-Clause
"""Quick ways of the core on a whole board: an image in one go, and in slices too short for any of
them."""

import random
from typing import Literal

import pytest

from tests.motes.openmote import BOARD, MICROSECOND
from wardmote import _motes
from wardmote.paths import BUILD

RAM_START, RAM_OCTETS = 0x2000_0000, 0x8000
SLICES = 12_000


def everything(simulation: _motes.Simulation) -> tuple[int, int, bytes]:
    """Cycles, program counter, memory."""
    state = simulation.cpu(0)
    return state["cycles"], state["pc"], bytes(simulation.read(0, RAM_START, RAM_OCTETS))


@pytest.mark.parametrize("image", ["primitives-small", "primitives-tab"])
@pytest.mark.parametrize("band", ["low", "high"])
def test_slices_do_not_matter(image: str, band: Literal["low", "high"]) -> None:
    """Runs of up to 2 microseconds, a few instructions each, end where one long run ends, at both
    ends of the band."""
    elf = (BUILD / f"firmware/{BOARD}/{image}.elf").read_bytes()
    sliced, whole = _motes.Simulation(1), _motes.Simulation(1)
    for simulation in (sliced, whole):
        simulation.add_mote(BOARD, elf, "one", band=band)
    slices = random.Random(image)
    for number in range(SLICES):
        sliced.run_for(slices.randrange(1, 2 * MICROSECOND))
        if number % (SLICES // 8) == 0:
            whole.run_for(sliced.now_ps - whole.now_ps)
            assert everything(whole) == everything(sliced)
    whole.run_for(sliced.now_ps - whole.now_ps)
    assert everything(whole) == everything(sliced)
