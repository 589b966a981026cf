# SPDX-License-Identifier: BSD-3-Clause
"""Curupira, Marvin and LetterSoup on the emulated CPUs: cycles, beside the paper's figures, and
what a refused message leaves in memory."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.model.curupira_model import lettersoup_seal
from tests.stack.calls import ERR_SECURITY
from tests.stack.conftest import target_named
from tests.stack.mode.curupiras import FORWARD
from tests.stack.mode.test_lettersoup import aead_of
from wardmote.call import EmulatedTarget, Outcome

HEADERS = ("curupira2", "marvin", "lettersoup")

RAM = {"msp430": (0x1100, 0x3900), "avr": (0x0200, 0x2200), "armv7m": (0x2000_0000, 0x2000_8000)}
UNDER = FORWARD["curupira2"]
"""The cipher of the paper's figures."""

MOST_CYCLES = {
    "msp430": (1_750, 1_780),
    "msp430-portable": (2_530, 2_530),
    "avr": (1_560, 1_560),
    "avr-portable": (5_150, 5_150),
    "armv7m": (770, 790),
    "armv7m-portable": (1_150, 1_160),
}
"""Of a block encrypted and decrypted with ten rounds. On ARMv7-M at the upper end of the timing
band, without wait states."""


def cycles(*outcomes: Outcome) -> int:
    """Of all calls together."""
    assert all(outcome.cycles is not None for outcome in outcomes)
    return sum(outcome.cycles or 0 for outcome in outcomes)


class Costs:
    """Cycles of what the paper measured, key expansion in `init` where a key is set up."""

    def __init__(self, target: EmulatedTarget) -> None:
        target.reset()
        self.target = target
        key = target.pack("wm_curupira2_key")
        self.expansion = cycles(target.call("wm_curupira2_init", key, bytes(range(12))))
        self.begin = (target.buffer(key),)

    def marvin(self, length: int) -> tuple[int, int, int]:
        """Init, update with that many octets, final."""
        made, context = self.target.pack("wm_marvin_key"), self.target.pack("wm_marvin")
        derived = self.target.call("wm_marvin_derive", made, *self.begin)
        begun = self.target.call("wm_marvin_init", context, self.target.buffer(made))
        update = self.target.call("wm_marvin_update", context, bytes(length), length)
        final = self.target.call("wm_marvin_final", context, bytearray(12), 12)
        return self.expansion + cycles(derived, begun), cycles(update), cycles(final)

    def lettersoup_init(self) -> int:
        """Key and nonce."""
        context = self.target.pack("wm_lettersoup")
        begun = self.target.call(
            "wm_lettersoup_start", context, *self.begin, bytes(range(12)), 12, 0
        )
        return self.expansion + cycles(begun)

    def lettersoup_seal(self, a_len: int, m_len: int) -> int:
        """A whole message in one call, its nonce included."""
        rest = (bytes(a_len), a_len, bytearray(m_len), m_len, bytearray(12), 12)
        return cycles(self.target.call("wm_lettersoup_seal", *self.begin, bytes(range(12)), *rest))


def test_half_the_time_of_the_paper(root: Path) -> None:
    """On the MSP430 at 8 MHz each operation takes at most half the time that the paper printed for
    a TelosB."""
    with (root / "published/primitives.toml").open("rb") as file:
        printed = tomllib.load(file)["telosb"]
    target = target_named("msp430", *HEADERS)
    assert isinstance(target, EmulatedTarget)
    costs = Costs(target)
    rows = [(costs.lettersoup_init(), printed["aead_init_ms"]["lettersoup"])]
    update = printed["mac_update_ms"]["marvin"]
    for length, ms in zip(update["D"], update["ms"], strict=True):
        measured = costs.marvin(length)
        rows += zip(
            measured,
            (printed["mac_init_ms"]["marvin"], ms, printed["mac_final_ms"]["marvin"]),
            strict=True,
        )
    for table, with_a in (("aead_encrypt_no_ad_ms", 0), ("aead_encrypt_ad_equals_data_ms", 1)):
        for length, ms in zip(printed[table]["D"], printed[table]["lettersoup"], strict=True):
            rows.append((costs.lettersoup_seal(with_a * length, length), ms))
    assert len(rows) == 26
    assert [row for row in rows if row[0] / 8_000 > row[1] / 2] == []


@pytest.mark.parametrize("name", MOST_CYCLES)
def test_cycles_of_a_block(name: str) -> None:
    """A block with ten rounds stays below its bounds both ways."""
    target = target_named(name, *HEADERS)
    schedule = bytes(target.pack("wm_curupira2"))
    done = [
        target.call(f"wm_curupira2_{way}", schedule, bytearray(12))
        for way in ("encrypt", "decrypt")
    ]
    assert [
        cycles(outcome) <= most for outcome, most in zip(done, MOST_CYCLES[name], strict=True)
    ] == [True, True]


@pytest.mark.parametrize("name", MOST_CYCLES)
def test_refused_plaintext_is_nowhere(name: str) -> None:
    """After a wrong tag no block of plaintext stands anywhere in RAM, stack included; after a right
    one it is found."""
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    key, nonce, a, m = bytes(range(12)), bytes(range(16, 28)), bytes(35), bytes(range(100, 148))
    ct, tag = lettersoup_seal(UNDER.model, key, nonce, a, m, 12)
    begin, end = RAM[name.split("-")[0]]
    for given, kept in ((tag, True), (bytes(12), False)):
        left, outcome = aead_of(target, UNDER, 12, key, nonce).open(a, ct, given)
        assert (outcome.value == ERR_SECURITY) != kept
        assert left == (m if kept else bytes(len(m)))
        memory = target.read(begin, end - begin)
        assert [m[at : at + 12] in memory for at in range(0, 48, 12)] == [kept] * 4
