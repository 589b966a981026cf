# SPDX-License-Identifier: BSD-3-Clause
"""Sequence numbers and the window by themselves, against a window of one integer: any window at the
edges of 6, 8, 16, 31 and 32 bits, and counters that fail. The MSP430's small form has assembly for
this, so it takes every case every time."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random

from tests.stack.conftest import target_named
from tests.stack.link.linklib import name_of
from wardmote.call import Target

HEADERS = ("ipsec_parts", "counter_cells", "counter_cells_double")
NAMES = ("host", "host-small", "msp430-small")
BITS, LAST = 64, 0xFFFFFFFF
ALL_CAME = 2**BITS - 1
EDGES = (
    0,
    1,
    2,
    62,
    63,
    64,
    65,
    66,
    0xFFFE,
    0xFFFF,
    0x10000,
    0x10040,
    2**31 - 1,
    2**31,
    2**31 + 63,
)
ENDS = (LAST - 65, LAST - 64, LAST - 63, LAST - 1, LAST)
STEPS = (0, 1, 2, 7, 8, 9, 15, 16, 62, 63, 64, 65, 255, 256, 319)
FAR = (0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x10001, 2**31, LAST)


@dataclass
class Model:
    """A SA whose counter grants what is not above `limit`."""

    window: int
    sequence: int
    limit: int

    def take(self, sequence: int, came: bool) -> str:
        """wm_ipsec_window."""
        if sequence > self.sequence:
            if came and sequence > self.limit:
                return "WM_ERR_STORAGE"
            if came:
                self.window = (self.window << sequence - self.sequence | 1) & ALL_CAME
                self.sequence = sequence
            return "WM_OK"
        behind = self.sequence - sequence
        if sequence == 0 or behind >= BITS or self.window >> behind & 1:
            return "WM_ERR_COUNTER"
        self.window |= int(came) << behind
        return "WM_OK"

    def use(self) -> str:
        """wm_ipsec_use_sequence."""
        if self.sequence == LAST:
            return "WM_ERR_COUNTER"
        if self.sequence >= self.limit:
            return "WM_ERR_STORAGE"
        self.sequence += 1
        return "WM_OK"


class Sa:
    """A SA of a target, and a counter whose medium has failed."""

    def __init__(self, name: str) -> None:
        self.target: Target = target_named(name, *HEADERS)
        self.target.reset()
        medium = self.target.pack("counter_cells_double", octet=b"\xff" * 22)
        self.medium = self.target.buffer(medium)
        self.target.call("counter_cells_double_use", self.medium)
        self.counter = self.target.buffer(self.target.pack("wm_counter_cells"))
        assert name_of(self.target.call("wm_counter_cells_create", 3).value) == "WM_OK"
        assert (
            name_of(self.target.call("wm_counter_cells_open", self.counter, 3, 4).value) == "WM_OK"
        )
        self.sa = self.target.buffer(self.target.pack("wm_ipsec_sa"))

    def put(self, model: Model) -> None:
        """Becomes as the model."""
        counter = self.target.unpack("wm_counter_cells", self.counter.read())
        counter |= {"limit": model.limit, "failed": True}
        self.counter.write(bytes(self.target.pack("wm_counter_cells", **counter)))
        window = model.window.to_bytes(BITS // 8, "little")
        self.sa.write(
            bytes(
                self.target.pack(
                    "wm_ipsec_sa",
                    window=window,
                    sequence=model.sequence,
                    counter=self.counter.address,
                    group=0xA5,
                )
            )
        )

    def call(self, function: str, *args: int) -> str:
        """A status."""
        return name_of(self.target.call(function, self.sa, *args).value)

    def look(self) -> tuple[int, int]:
        """Window and sequence number. The rest of the SA was not touched."""
        sa = self.target.unpack("wm_ipsec_sa", self.sa.read())
        assert (sa["group"], sa["counter"], sa["spi"]) == (0xA5, self.counter.address, 0)
        return int.from_bytes(sa["window"], "little"), sa["sequence"]


def test_any_window_and_any_sequence_number() -> None:
    """Answers, windows and sequence numbers are the model's, whether a packet only might come or
    came, and where the counter stores nothing."""
    source = Random(15)
    sas = [Sa(name) for name in NAMES]
    answers = set()
    for at, step in product((*EDGES, *ENDS), (*STEPS, *FAR)):
        came, sign = source.random() < 0.7, source.choice((-1, 1))
        window = source.choice((0, 1, ALL_CAME, 2**63, 2**63 - 1, source.getrandbits(BITS)))
        limit = source.choice((at, at, min(LAST, at + step), LAST, LAST, LAST))
        sequence = min(LAST, max(0, at + sign * step))
        case = (hex(window), hex(at), hex(sequence), came, hex(limit))
        model = Model(window, at, limit)
        for sa in sas:
            sa.put(model)
        wanted = model.take(sequence, came)
        answers.add((wanted, came))
        for sa in sas:
            assert sa.call("wm_ipsec_window", sequence, came) == wanted, (sa.target.name, case)
            assert sa.look() == (model.window, model.sequence), (sa.target.name, case)
    assert answers == {
        *product(("WM_OK", "WM_ERR_COUNTER"), (False, True)),
        ("WM_ERR_STORAGE", True),
    }


def test_any_next_sequence_number() -> None:
    """None is used twice, behind the last, or without being stored; what the counter has begins
    anew with a window in which all came."""
    for name, at in product(NAMES, (*EDGES, *ENDS)):
        sa = Sa(name)
        for limit in {0, at, min(LAST, at + 1), LAST}:
            model = Model(0x0123456789ABCDEF, at, limit)
            sa.put(model)
            assert (sa.call("wm_ipsec_use_sequence"), sa.look()) == (
                model.use(),
                (model.window, model.sequence),
            ), (name, hex(at), hex(limit))
            sa.target.call("wm_ipsec_restore", sa.sa)
            assert sa.look() == (ALL_CAME, limit)
