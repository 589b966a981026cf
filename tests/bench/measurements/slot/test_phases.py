# SPDX-License-Identifier: BSD-3-Clause
"""A proof meets every phase of the two clocks, also with frames that take longer."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from wardmote.boards import BOARDS
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.definition import DEFINITIONS, DEPLOYABLE
from wardmote.measurements.slot.experiment import SettingRuns, tuned_by
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import ASH_FORMS, Setting, all_settings
from wardmote.measurements.slot.timing import LONG, Timing, Value
from wardmote.measurements.slot.ways import (
    ALWAYS,
    BOOTS,
    Way,
    boot_ppm,
    lengths,
    ways,
    ways_of_lengths,
)
from wardmote.paths import slot_image
from wardmote.units import ticks_to_ps

EXCHANGES = 1000
TICK_PS = ticks_to_ps(1)
FIRST = slice(4, None)


def setting_of(board: str, strategy: str, clock_hz: int | None = None, level: int = 5) -> Setting:
    """A setting at the slow end of the band."""
    record = BOARDS[board]
    [found] = all_settings(
        board, [strategy], [level], ASH_FORMS["paper"], clock_hz or record.clock_hz
    )
    return replace(found, band=record.bands[-1] if record.bands else None)


def tuned(setting: Setting) -> Timing:
    """Its shortest deployable template."""
    runs = SettingRuns(setting, image_of(setting), 1, EXCHANGES)
    return tuned_by(DEFINITIONS[DEPLOYABLE], runs, runs.survey()).timing


def image_of(setting: Setting) -> bytes:
    """The image of a setting."""
    return slot_image(setting.board, setting.strategy).read_bytes()


def run(setting: Setting, timing: Timing, way: Way, exchanges: int) -> Network:
    """One way of a proof."""
    network = Network(setting, image_of(setting), timing, 1, way.ppm, way.plan)
    assert network.join()
    network.spans()
    network.run_to_exchange(exchanges + 1)
    return network


def apart_of(network: Network) -> list[int]:
    """By how many picoseconds the leaf's slots begin after the root's."""
    begins = {
        mote.name: [ps for name, rises, ps in network.marks(mote.name) if name == "slot" and rises]
        for mote in (ROOT_MOTE, LEAF_MOTE)
    }
    half_ps = ticks_to_ps(network.timing.slot_duration) // 2
    found = []
    for leaf in begins[LEAF_MOTE.name]:
        root = min(begins[ROOT_MOTE.name], key=lambda ps: abs(ps - leaf))
        if abs(root - leaf) < half_ps:
            found.append(leaf - root)
    return found


def test_the_exchanges_are_shared_out() -> None:
    """All ways together have as many exchanges as the proof, whatever their number."""
    for exchanges in (1, 7, 50, 200, 999, EXCHANGES):
        assert sum(own for _, own in ways(LONG, exchanges)) == exchanges
    assert len(ways(LONG, EXCHANGES)) == 4 + BOOTS
    assert len({round(boot_ppm(at), 3) for at in range(BOOTS)}) == BOOTS
    assert all(abs(boot_ppm(at)) <= 30 for at in range(BOOTS))


def gap_of(network: Network) -> float:
    """The longest gap between the phases that the slots of the two motes meet, in ticks."""
    phases = sorted({ps % TICK_PS for ps in apart_of(network)})
    phases.append(phases[0] + TICK_PS)
    return max(after - before for before, after in pairwise(phases)) / TICK_PS


@pytest.fixture(scope="module")
def hardware(slot_images: Path) -> tuple[Setting, Timing]:
    """A setting whose slots are short, and its template."""
    assert slot_images
    setting = setting_of("telosb", "hardware")
    return setting, tuned(setting)


def test_every_phase_comes(hardware: tuple[Setting, Timing]) -> None:
    """In each long way the slots of the two motes begin apart by every part of a tick."""
    for way, exchanges in ways(hardware[1], EXCHANGES)[: FIRST.start]:
        assert gap_of(run(*hardware, way, exchanges)) < 1 / 50


def test_first_frames_come_at_many_phases(hardware: tuple[Setting, Timing]) -> None:
    """The first frame of a boot takes the root longer, because the radio has not the neighbour's part
    of the nonce yet. It comes at phases all over a tick."""
    setting, timing = hardware
    phases = []
    for way, exchanges in ways(timing, EXCHANGES)[FIRST]:
        network = run(setting, timing, way, exchanges)
        first, second = network.spans()["sec2"][:2]
        assert first.cycles > second.cycles + 50
    for way, _ in ways(timing, EXCHANGES)[FIRST]:
        phases.append(apart_of(run(setting, timing, way, 1))[-1] % TICK_PS / TICK_PS)
    phases.sort()
    phases.append(phases[0] + 1)
    assert max(after - before for before, after in pairwise(phases)) < 1 / 4


def test_a_tick_less_is_seen(hardware: tuple[Setting, Timing]) -> None:
    """A proof accepts the template and none of those that are a tick shorter."""
    setting, timing = hardware
    runs = SettingRuns(setting, image_of(setting), 1, EXCHANGES)
    outcome = runs.prove(timing)
    assert (outcome.exchanges, outcome.lost, outcome.late_total) == (EXCHANGES, 0, 0)
    for value in (Value.TX_ACK_DELAY, Value.SLOT_DURATION):
        assert runs.prove(timing.only_shorter(value)).late[value] > 0


def test_other_lengths_are_met() -> None:
    """One octet of payload up to the whole frame; every shorter one in every slot with either mote's
    clock the faster, and each with empty frames between."""
    setting = setting_of("telosb", "software")
    octets = lengths(setting)
    assert octets == [42, 70, 99, 127]
    found = ways_of_lengths(setting)
    assert {(way.frame_octets, way.plan.keep_alive) for way in found} == {
        *((n, 0) for n in octets[:-1]),
        *((n, ALWAYS) for n in octets),
    }
    for n in octets[:-1]:
        assert len({way.ppm[ROOT_MOTE.name] > 0 for way in found if way.frame_octets == n}) == 2
    assert len({way.name for way in found}) == len(found)
