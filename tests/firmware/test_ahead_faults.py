# SPDX-License-Identifier: BSD-3-Clause
"""Emulated motes that work ahead of the slot, at templates that have no time for a second attempt: a
forged frame, a frame that stops arriving and a radio that runs empty cost their own slot alone.

Beside root and leaf there is a forger: a TelosB that has the leaf's address and another data key. It
sends in the cells in which the leaf has nothing to send. Its frames are forged; where its power fails
while one is on the air, that frame stops. If the root has not authenticated the leaf before, the
leaf's first frame is lost too, for the root does not know its counter."""

from __future__ import annotations

import random

import pytest

from tests.firmware.ahead_memory import CASES, OTHER_KEY, RX_FRAME, WHOLE
from tests.firmware.test_slot_ahead import TEMPLATES
from wardmote._motes import MoteError, Simulation
from wardmote.boards import BOARDS, changes_of
from wardmote.measurements.slot import block
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE, Mote, Plan
from wardmote.measurements.slot.capture import fcs
from wardmote.measurements.slot.network import BLOCK, Network
from wardmote.measurements.slot.setting import AHEAD, ASH_FORMS, Setting, all_settings
from wardmote.paths import slot_image
from wardmote.units import ticks_to_ps

LEVEL, SEED = 5, 1
FORGER = "telosb"
PLAN = Plan(data_every=2)
SLOTS, CUTS, EMPTIED, AFTER = 60, 8, 6, 6
SLEEP = 2
US = 1_000_000
FORGED_BEACONS, PSDU_MAX, MIC_LEN, FCS_LEN = 3, 127, 4, 2
NOT_AUTHENTIC = 10
"""-WM_ERR_SECURITY."""
FRAME_US = 3_500
"""Of a data frame on the air at least."""


def setting_of(board: str, strategy: str, ash: str) -> Setting:
    """At the board's usual clock."""
    clock = BOARDS[board].clock_hz
    (setting,) = all_settings(board, (strategy,), (LEVEL,), ASH_FORMS[ash], clock)
    return setting


class Attacked(Network):
    """Root, leaf and, if there is one, the forger."""

    def __init__(self, board: str, strategy: str, ash: str, *, forger: bool = True) -> None:
        self.ash = ash
        slower = (board, strategy) if board == FORGER else (FORGER, WHOLE)
        timing = TEMPLATES[(*slower, ash)] if forger else TEMPLATES[board, strategy, ash]
        setting = setting_of(board, strategy, ash)
        super().__init__(setting, slot_image(board, strategy).read_bytes(), timing, SEED, plan=PLAN)
        self.random = random.Random(SEED)
        self.forger = self._add_forger() if forger else None
        assert self.join(), self.why_not_joined()
        if self.forger is not None:
            self._take_turns()
        self.run_slots(2 * block.SLOTFRAME_LENGTH)

    def _add_forger(self) -> int:
        setting = setting_of(FORGER, WHOLE, self.ash)
        index = self.simulation.add_mote(
            FORGER,
            slot_image(FORGER, WHOLE).read_bytes(),
            "forger",
            clock_hz=setting.clock_hz,
            supply_v=setting.supply_v,
            band=setting.band,
            changes=dict(changes_of(FORGER)),
        )
        octets = bytearray(block.slot_block(setting, LEAF_MOTE, self.timing, PLAN))
        at = block.headers().layout("slot_block", setting.record.model).offset("key[1]")
        octets[at : at + len(OTHER_KEY)] = OTHER_KEY
        self.simulation.write(index, self.simulation.symbol(index, BLOCK)[0], bytes(octets))
        layout = block.node_layout(setting.record.model)
        self.forger_node = self.simulation.symbol(index, "slot_node")[0]
        self.forger_layout = layout
        self.simulation.write(index, self.forger_node, bytes(layout.size))
        self.simulation.write(index, self.simulation.symbol(index, "slot_fault")[0], bytes(1))
        return index

    def of_forger(self, member: str) -> int:
        """A number of its wm_tsch."""
        assert self.forger is not None
        at = self.forger_node + self.forger_layout.offset(member)
        octets = self.simulation.read(self.forger, at, self.forger_layout.sizeof(member))
        return int.from_bytes(octets, "little")

    def _take_turns(self) -> None:
        """The forger sends where the leaf does not."""
        assert self.forger is not None
        self.quiet()
        while self.of_forger("state") != SLEEP:
            self.simulation.run_for(100 * US)
            self.quiet()
        if self.of_forger("skipped") == self.number(LEAF_MOTE.name, "skipped"):
            at = self.forger_node + self.forger_layout.offset("skipped")
            other = 1 - self.of_forger("skipped")
            octets = other.to_bytes(self.forger_layout.sizeof("skipped"), "little")
            self.simulation.write(self.forger, at, octets)

    def run_slots(self, slots: float) -> None:
        """Lets time pass."""
        self.simulation.run_for(round(slots * ticks_to_ps(self.timing.slot_duration)))

    def quiet(self) -> None:
        """Until both sleep."""
        names = (ROOT_MOTE.name, LEAF_MOTE.name)
        while any(self.number(name, "state") != SLEEP for name in names):
            self.simulation.run_for(100 * US)

    def lost(self) -> int:
        """Exchanges of the leaf that failed so far, when both sleep."""
        self.quiet()
        stats = self.stats(LEAF_MOTE.name)
        return int(stats["data_sent"]) - int(stats["data_acked"])

    def forget_peer(self) -> None:
        """The root knows of the leaf's counter no more than the least that it may accept."""
        root = self.index(ROOT_MOTE.name)
        layout = block.headers().layout("wm_ahead", self.setting.record.model)
        at = self.simulation.symbol(root, "slot_ahead")[0] + layout.offset("peer.heard")
        self.simulation.write(root, at, bytes(layout.sizeof("peer.heard")))

    def count_far(self) -> None:
        """The forger's counter is one that the leaf will not reach, so the root cannot refuse it."""
        assert self.forger is not None
        at = self.forger_node + self.forger_layout.offset("tx_counter")
        octets = (1 << 20).to_bytes(self.forger_layout.sizeof("tx_counter"), "little")
        self.simulation.write(self.forger, at, octets)

    def root_is_late(self) -> int:
        """Frames that the root gave up because their Enh-Ack would be late."""
        return int(self.stats(ROOT_MOTE.name)["late_tx_ack_delay"])

    def forge_beacon(self) -> None:
        """Lets a slotframe pass, in whose beacon's place a forged one of 127 octets is heard."""
        root = self.index(ROOT_MOTE.name)
        ahead = self.simulation.copy()
        known = len(ahead.frames())
        ahead.run_for(round(block.SLOTFRAME_LENGTH * ticks_to_ps(self.timing.slot_duration)))
        [(_, at, channel, psdu, _)] = [
            one for one in ahead.frames()[known:] if one[0] == root and one[3][0] & 7 == 0
        ]
        body = psdu[: -FCS_LEN - MIC_LEN]
        body += bytes(PSDU_MAX - FCS_LEN - len(body))
        forged = body + fcs(body)
        self.simulation.inject(channel, at - 50 * US, forged, power_dbm=20)
        self.run_slots(block.SLOTFRAME_LENGTH)
        self.quiet()

    def late(self) -> int:
        """Deadlines that were missed by both. The root's TsTxAckDelay is not among them: a forged
        frame that is given up counts there, and a frame of the leaf would be lost."""
        stats = {mote: self.stats(mote.name) for mote in (ROOT_MOTE, LEAF_MOTE)}
        del stats[ROOT_MOTE]["late_tx_ack_delay"]
        return sum(
            int(one[name]) for one in stats.values() for name in one if name.startswith("late")
        )

    def sent_by(self, mote: int, known: int) -> list[tuple[bytes, bool]]:
        """Data frames since then: octets, and whether all of them left."""
        return [
            (psdu, complete)
            for sender, _, _, psdu, complete in self.simulation.frames()[known:]
            if sender == mote and psdu[:1] and psdu[0] & 7 == 1
        ]


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_a_forged_frame_costs_its_own_slot(board: str, strategy: str, ash: str) -> None:
    """Every second frame that the root hears is forged."""
    network = Attacked(board, strategy, ash)
    assert network.forger is not None
    lost, before = network.lost(), network.stats(ROOT_MOTE.name)
    known = len(network.simulation.frames())
    network.run_slots(SLOTS)
    after_lost, after = network.lost(), network.stats(ROOT_MOTE.name)
    forged = len(network.sent_by(network.forger, known))
    assert forged > SLOTS / 3
    assert after["refused"] - before["refused"] >= forged - 1
    assert after["data_received"] - before["data_received"] > SLOTS / 3
    assert (after_lost - lost, network.late()) == (0, 0)


@pytest.mark.parametrize(("board", "strategy"), [one for one in CASES if one[1] != WHOLE])
def test_a_forger_who_is_there_first(board: str, strategy: str) -> None:
    """The root does not know the leaf's counter any more, and every second frame is forged. The leaf's
    first frame tells it. On a TelosB it is lost, and so are the forged ones; a fast board makes its
    keystream in time."""
    network = Attacked(board, strategy, "paper")
    lost, late = network.lost(), network.root_is_late()
    network.count_far()
    network.forget_peer()
    network.run_slots(SLOTS)
    slow = board == "telosb"
    assert network.lost() - lost == slow
    assert (network.root_is_late() - late > SLOTS / 3) == slow
    assert network.late() == 0


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_a_frame_that_stops_costs_its_own_slot(board: str, strategy: str, ash: str) -> None:
    """At arbitrary octets: the leaf's next frame is in the next cell."""
    network = Attacked(board, strategy, ash)
    assert network.forger is not None
    stopped = 0
    for _ in range(CUTS):
        lost = network.lost()
        while not (network.number(ROOT_MOTE.name, "state") == RX_FRAME
                   and network.of_forger("state") > SLEEP):  # fmt: skip
            network.simulation.run_for(50 * US)
        own, copy = network.simulation, network.simulation.copy()
        known = len(copy.frames())
        at = copy.now_ps + round(network.random.random() * FRAME_US * US)
        copy.power_cut(network.forger, network.random.randrange(1 << 30), at_ps=at)
        network.simulation = copy
        received = network.stats(ROOT_MOTE.name)["data_received"]
        network.run_slots(AFTER)
        assert network.lost() == lost
        assert network.late() == 0
        assert network.stats(ROOT_MOTE.name)["data_received"] >= received + AFTER // 2 - 1
        stopped += any(not complete for _, complete in network.sent_by(network.forger, known - 1))
        network.simulation = own
        network.run_slots(2)
    assert stopped > CUTS / 2


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_a_forged_beacon_costs_its_own_slot(board: str, strategy: str, ash: str) -> None:
    """It is as long as a frame can be, so that there is most to do on it, and much stronger than the
    root's. The data cell behind it is not lost."""
    network = Attacked(board, strategy, ash, forger=False)
    lost, before = network.lost(), network.stats(LEAF_MOTE.name)
    for _ in range(FORGED_BEACONS):
        network.forge_beacon()
    after = network.stats(LEAF_MOTE.name)
    assert after["refused"] - before["refused"] == FORGED_BEACONS
    assert after["last_error"] == NOT_AUTHENTIC
    assert after["beacons_received"] == before["beacons_received"]
    assert (network.lost() - lost, network.late(), network.root_is_late()) == (0, 0, 0)


@pytest.mark.parametrize("strategy", AHEAD)
def test_a_forged_frame_lets_a_board_sleep(strategy: str) -> None:
    """A CC2538 does not go to power mode 2 while its radio holds a frame. The answer that was prepared
    for a forged one does not stay."""
    network = Attacked("openmote-cc2538", strategy, "paper")
    root = network.index(ROOT_MOTE.name)
    loaded, _ = network.simulation.symbol(root, "rf_loaded")
    refused = network.stats(ROOT_MOTE.name)["refused"]
    for _ in range(2 * AFTER):
        network.run_slots(1)
        network.quiet()
        network.simulation.run_for(100 * US)
        assert network.simulation.read(root, loaded, 1) == b"\0"
    assert network.stats(ROOT_MOTE.name)["refused"] - refused >= AFTER - 1


class Emptied(Attacked):
    """Without a forger. One of the two can be made to forget what it has to append."""

    def __init__(self, board: str, strategy: str, ash: str, mote: Mote = LEAF_MOTE) -> None:
        super().__init__(board, strategy, ash, forger=False)
        self.mote = self.index(mote.name)
        layout = block.headers().layout("wm_ahead", self.setting.record.model)
        self.leaving = self.simulation.symbol(self.mote, "slot_ahead")[0] + layout.offset("leaving")
        self.octets = layout.sizeof("leaving")

    def leaves(self) -> bool:
        """A frame is on the air or about to be, and something of it is still to come."""
        return any(self.simulation.read(self.mote, self.leaving, self.octets))

    def runs_empty(self, simulation: Simulation) -> bool:
        """Whether it does where the leaf forgets now. Just now it may be at work on it."""
        known = len(simulation.frames())
        simulation.write(self.mote, self.leaving, bytes(self.octets))
        try:
            simulation.run_for(ticks_to_ps(self.timing.slot_duration))
        except MoteError:
            return False
        own = [one for one in simulation.frames()[max(0, known - 1) :] if one[0] == self.mote]
        return any(not complete for *_, complete in own)

    def empty(self) -> None:
        """The next frame that can be made to run empty does."""
        while True:
            while not self.leaves():
                self.simulation.run_for(2 * US)
            copy = self.simulation.copy()
            if self.runs_empty(copy):
                self.simulation = copy
                return
            self.simulation.run_for(self.random.randrange(10, 100) * US)


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize(("board", "strategy"), [case for case in CASES if case[1] != WHOLE])
def test_a_radio_that_runs_empty_costs_its_own_slot(board: str, strategy: str, ash: str) -> None:
    """The leaf's frame stops where TXFIFO is empty. An engine that does CCM* whole appends nothing:
    its frames are loaded before they leave."""
    network = Emptied(board, strategy, ash)
    lost, known = network.lost(), len(network.simulation.frames())
    for _ in range(EMPTIED):
        network.empty()
        network.run_slots(AFTER)
    stopped = [psdu for psdu, complete in network.sent_by(network.mote, known) if not complete]
    assert len(stopped) == EMPTIED
    assert network.lost() - lost == EMPTIED
    assert network.late() == 0


@pytest.mark.parametrize("strategy", [name for name in AHEAD if name != WHOLE])
def test_a_beacon_that_runs_empty_costs_its_own_slot(strategy: str) -> None:
    """The root's, on a CC2538: its radio keeps in mind that it ran empty, and all that the root
    answers later is appended to and checked."""
    network = Emptied("openmote-cc2538", strategy, "paper", ROOT_MOTE)
    lost = network.lost()
    for _ in range(2):
        network.empty()
        network.run_slots(AFTER)
    assert network.lost() == lost
    assert network.late() == 0
