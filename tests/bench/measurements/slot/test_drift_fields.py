# SPDX-License-Identifier: BSD-3-Clause
"""Every field of the rows about clocks, by hand from networks whose motes do as they are told."""

import dataclasses
from typing import Any

import pytest

from wardmote.errors import ImageError
from wardmote.measurements.slot import drift, sparse
from wardmote.measurements.slot.capture import TYPE_ACK, TYPE_BEACON, TYPE_DATA
from wardmote.measurements.slot.setting import ASH_FORMS, Setting
from wardmote.measurements.slot.timing import Timing

SETTING = Setting("telosb", "hardware", 5, ASH_FORMS["paper"], 8_000_000)
S, US = 10**12, 10**6
"""Picoseconds."""
BEGIN_PS = 7 * S


class Made:
    """A network: what each mote marks, and its counters."""

    def __init__(self, marks: dict[str, list[int]], stats: dict[str, dict[str, int]]) -> None:
        self.left, self.counts, self.simulation = marks, stats, self
        self.now_ps = BEGIN_PS
        self.asked: tuple[Any, ...] = ()

    def __call__(self, *asked: Any) -> Any:
        """Stands for the class."""
        self.asked, self.timing = asked, asked[2]
        return self

    def join(self) -> bool:
        """It does."""
        return True

    def run_to_exchange(self, _number: int) -> bool:
        """So does it here."""
        return True

    def run_until(self, ps: int) -> None:
        """Time goes on."""
        self.now_ps = ps

    def run_for(self, ps: int) -> None:
        """Time goes on."""
        self.now_ps += ps

    def marks(self, mote: str) -> list[tuple[str, bool, int]]:
        """Beginnings of slots up to now, each with its end and another pin."""
        due = [ps for ps in self.left[mote] if ps <= self.now_ps]
        self.left[mote] = self.left[mote][len(due) :]
        return [one for ps in due for one in (("slot", True, ps), ("slot", False, ps + 3 * US),
                                              ("sec1", True, ps + 5 * US))]  # fmt: skip

    def stats(self, mote: str) -> dict[str, int]:
        """Counters."""
        return self.counts[mote]


def slots(count: int, apart_us: list[int]) -> dict[str, list[int]]:
    """Slots of the root every second, and the leaf's so much later; before these some that nobody
    asks for."""
    root = [BEGIN_PS + n * S for n in range(1, count + 1)]
    leaf = [ps + us * US for ps, us in zip(root, apart_us, strict=True)]
    return {"root": [3 * S, *root], "leaf": [2 * S, 4 * S, *leaf]}


def test_every_field_of_a_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five slots, the first 12 us late, the worst 47 us early. 60 ppm of 150 s are 9 ms. The frame
    that the run ends in is not lost."""
    stats = {
        "leaf": {"data_sent": 21, "data_acked": 17, "beacons_received": 5, "refused": 2},
        "root": {"refused": 6},
    }
    made = Made(slots(5, [12, 3, -47, 40, -1]), stats)
    monkeypatch.setattr(drift, "Network", made)
    row = drift.run(SETTING, b"", ppm=30, seconds=150, seed=5)
    assert made.now_ps == BEGIN_PS + 150 * S
    assert made.asked[3:] == (5, {"root": 30, "leaf": -30})
    assert dataclasses.asdict(row) == {
        "board": "telosb", "strategy": "hardware", "level": 5, "root_ppm": 30, "leaf_ppm": -30,
        "seconds": 150, "slot_us": 250_000.0, "slots": 5, "exchanges": 21, "lost": 3,
        "beacons": 5, "refused": 8, "worst_us": 47.0, "first_us": 12.0, "free_us": 9000.0,
        "guard_us": row.guard_us,
    }  # fmt: skip
    # 60 ppm of 101 slots of 0.25 s are 1 515 us, and a correction leaves a few ticks beside it.
    assert 1515 < row.guard_us < 1515 + 10 * 30.52


def test_motes_that_lost_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than half a slot apart they are no longer in the same slot."""
    for us, fails in ((125_001, True), (124_999, False), (-125_001, True)):
        stats = dict.fromkeys(("data_sent", "data_acked", "beacons_received", "refused"), 0)
        monkeypatch.setattr(drift, "Network", Made(slots(1, [us]), {"leaf": stats, "root": stats}))
        if fails:
            with pytest.raises(ImageError, match=f"begins {us} us apart"):
                drift.run(SETTING, b"", ppm=30, seconds=60, seed=1)
        else:
            assert drift.run(SETTING, b"", ppm=30, seconds=60, seed=1).worst_us == us


TIMING = Timing(tx_offset=64, tx_ack_delay=64, tail=5, rx_guard=36)
SLOT_PS = TIMING.slot_duration * S // 32_768
FRAME_PS = 101 * SLOT_PS
OFFSET_PS = 64 * S // 32_768


class Sparse(Made):
    """Beacons and data frames of a few slotframes. The leaf is corrected in the first, gives up in
    the sixth, and is back in the eighth."""

    def __init__(self) -> None:
        self.losses: list[tuple[int, int, float]] = []
        begins = [BEGIN_PS + n * FRAME_PS for n in range(10)]
        root = [ps + SLOT_PS for ps in begins]
        leaf = [ps + 50 * SLOT_PS for ps in begins]
        super().__init__({"root": root, "leaf": leaf}, {})
        late = {0: 10, 1: 25, 2: -900, 3: 30, 9: 40}
        self.data = [(1, root[n] + OFFSET_PS + us * US, TYPE_DATA) for n, us in late.items()]
        self.acks = [(0, self.data[n][1] + 4 * S // 1000, TYPE_ACK) for n in (0, 1, 3, 4)]
        self.beacons = [(0, leaf[n] + OFFSET_PS + us * US, TYPE_BEACON)
                        for n, us in ((0, 5), (1, 1200), (8, 700), (9, -20))]  # fmt: skip

    def index(self, mote: str) -> int:
        """By name."""
        return {"root": 0, "leaf": 1}[mote]

    def set_loss(self, sender: int, receiver: int, part: float) -> None:
        """Keeps it."""
        self.losses.append((sender, receiver, part))

    def stats(self, mote: str) -> dict[str, int]:
        """The leaf hears the first beacon, and another in the ninth slotframe."""
        assert mote == "leaf"
        slotframes = (self.now_ps - BEGIN_PS) / FRAME_PS
        return {"beacons_received": (slotframes > 0.7) + (slotframes > 8.7), "data_acked": 0,
                "joined": slotframes < 5.1 or slotframes > 7.1}  # fmt: skip

    def frames(self) -> list[tuple[int, int, int, bytes, int]]:
        """What was on the air, one data frame before the time that counts among it."""
        before = (1, BEGIN_PS - 1, TYPE_DATA)
        every = sorted([before, *self.data, *self.acks, *self.beacons], key=lambda one: one[1])
        return [(mote, ps, 0, bytes([kind | 0x60]), 0) for mote, ps, kind in every]


def test_every_field_of_a_sparse_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five data frames, of which the third is not acknowledged; four beacons. One of these begins
    1 200 us from its moment, more than 36 ticks, 1 098.6 us. The leaf gave up 5.25 slotframes after
    the run began, in steps of a quarter; its last correction before that was the beacon of the first
    slotframe, 50 slots, TsTxOffset and 5 us after the beginning."""
    made = Sparse()
    monkeypatch.setattr(sparse, "Network", made)
    seconds = 10 * FRAME_PS / S
    row = sparse.run(SETTING, b"", ppm=30, seconds=seconds, seed=5, timing=TIMING, lost_part=0.8)
    assert made.asked[3:5] == (5, {"root": 30, "leaf": -30})
    assert made.losses == [(0, 1, 0.8), (0, 1, 0), (0, 1, 0.8)]
    gave_up_s = (5.25 * FRAME_PS - 50 * SLOT_PS - OFFSET_PS) / S - 5e-6
    found = dataclasses.asdict(row)
    assert found.pop("limit_s") == pytest.approx(0.9 * 1098.633e-6 / 60e-6, rel=0.05)
    assert {name: round(x, 4) if isinstance(x, float) else x for name, x in found.items()} == {
        "board": "telosb", "strategy": "hardware", "root_ppm": 30, "leaf_ppm": -30,
        "seconds": round(seconds, 4), "lost_part": 0.8, "slotframe_s": round(FRAME_PS / S, 4),
        "guard_us": 1098.633, "data": 5, "unheard": 1, "beacons": 4, "worst_us": 1200.0,
        "outside": 1, "given_up": 1, "soonest_s": round(gave_up_s, 3),
        "latest_s": round(gave_up_s, 3),
    }  # fmt: skip


def test_what_holds() -> None:
    """Nothing unheard, nothing outside, and given up within a slotframe of the limit on both
    sides."""
    made: Any = dict.fromkeys(sparse.SparseRow.__dataclass_fields__, 0) | {
        "slotframe_s": 1.0, "limit_s": 16.0, "soonest_s": 15.1, "latest_s": 16.9,
    }  # fmt: skip
    assert sparse.SparseRow(**made).holds
    for name, value in (("unheard", 1), ("outside", 1), ("soonest_s", 15.0), ("latest_s", 17.0)):
        assert not sparse.SparseRow(**made | {name: value}).holds, name
