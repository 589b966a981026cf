# SPDX-License-Identifier: BSD-3-Clause
"""The masked S-box as gates of an iCE40: it computes the S-box of FIPS 197, and no probe on a gate,
glitches included, sees anything that depends on the octet. With less randomness the same test finds
that it leaks, so it can fail."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scripts.hdl_costs import Design, synthesized
from tests.hdl.netlist import Netlist, Words
from vectors.generate_aes128 import SBOX

CASES = 1 << 16
CLOCKS = 8
RANDOM_BITS = 18
SECRETS = (0x00, 0x01, 0x53, 0xFF)
LIMIT = 15.0
"""Standard deviations that a probe's chi-square may lie above its mean; by chance, where it has the
fewest degrees of freedom, once in 10^8 probes."""


@pytest.fixture(scope="module")
def netlist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The S-box, synthesized."""
    folder = tmp_path_factory.mktemp("sbox")
    synthesized(Design("S-box", "aes128_sbox_masked", "", 0, ""), folder)
    return folder / "design.json"


def bits_of(octets: np.ndarray) -> list[Words]:
    """Octets as eight words, bit 0 first."""
    return [(octets >> bit & 1).astype(np.bool_) for bit in range(8)]


def runs(
    path: Path, secret: np.ndarray, decrypt: bool, draw: np.random.Generator, *, silent: int = 0
) -> Netlist:
    """The netlist after CLOCKS clocks in which the same octets came in, in new shares each time.
    `silent` random bits, from bit 0 on, are zero."""
    found = Netlist.read(path, "aes128_sbox_masked")
    count = len(secret)
    for _ in range(CLOCKS + 1):
        mask = draw.integers(0, 256, count, dtype=np.uint8)
        random = [draw.integers(0, 2, count, dtype=np.bool_) for _ in range(RANDOM_BITS)]
        for bit in range(silent):
            random[bit] = np.zeros(count, dtype=np.bool_)
        found.clock(
            {
                "decrypt_i": [np.full(count, decrypt)],
                "random_i": random,
                "share_a_i": bits_of(secret ^ mask),
                "share_b_i": bits_of(mask),
                "clk_i": [np.zeros(count, dtype=np.bool_)],
            }
        )
    return found


@pytest.mark.parametrize("decrypt", [False, True])
def test_the_shares_add_up_to_the_sbox(netlist: Path, decrypt: bool) -> None:
    """All octets, either way, after CLOCKS clocks."""
    octets = np.arange(256, dtype=np.uint8)
    found = runs(netlist, octets, decrypt, np.random.default_rng(1))
    result = np.zeros(256, dtype=np.uint8)
    for bit in range(8):
        for port in ("share_a_o", "share_b_o"):
            result ^= found.values[found.ports[port][bit]].astype(np.uint8) << bit
    table = np.frombuffer(SBOX, dtype=np.uint8)
    assert (result == (np.argsort(table) if decrypt else table)).all()


def leaks(netlist: Path, silent: int) -> Iterator[float]:
    """For each probe how far, in standard deviations, the chi-square of what it sees of each secret
    lies above its mean."""
    draw = np.random.default_rng(2)
    settled = [
        runs(netlist, np.full(CASES, secret, np.uint8), False, draw, silent=silent)
        for secret in SECRETS
    ]
    for probe in settled[0].probes:
        seen = []
        for one in settled:
            index = sum(
                one.values[wire].astype(np.uint32) << n
                for n, wire in enumerate(sorted(probe, key=str))
            )
            seen.append(np.bincount(np.asarray(index), minlength=1 << len(probe)))
        table = np.array(seen)
        table = table[:, table.sum(axis=0) > 0]
        freedom = (len(SECRETS) - 1) * (table.shape[1] - 1)
        if freedom:
            mean = table.sum(axis=0) / len(SECRETS)
            yield float((((table - mean) ** 2 / mean).sum() - freedom) / (2 * freedom) ** 0.5)


def test_no_probe_sees_the_octet(netlist: Path) -> None:
    """First order, with glitches."""
    found = list(leaks(netlist, 0))
    assert len(found) > 50
    assert max(found) < LIMIT


@pytest.mark.parametrize("silent", [6, 18])
def test_the_test_sees_a_leak(netlist: Path, silent: int) -> None:
    """The same with too few random bits."""
    assert max(leaks(netlist, silent)) > 10 * LIMIT
