# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec footprint`: flash is what the toolchain counts in two programs, state is tables and
keys."""

import subprocess

import pytest

from tests.bench.experiments.ipsec_rows import of_everything, rows_of
from wardmote.experiments.ipsec.footprint import (
    ALWAYS,
    BASE,
    COUNTERS,
    DRIVERS,
    IpsecFootprintRow,
)
from wardmote.experiments.ipsec.suites import SUITES
from wardmote.linked import Form, linked

pytestmark = [pytest.mark.xdist_group("ipsec footprint"), pytest.mark.early, pytest.mark.turns(5)]
BOTH = "AH XCBC, ESP CTR+XCBC"
NAMED = ("wm_ipsec_ah", "wm_ipsec_esp", "wm_ipsec_aes_ctr", "wm_ipsec_aes_xcbc_96")
AES: dict[Form, str] = {"fast": "tab", "small": "lean"}
KEY, XCBC_KEY = 18, 34
"""Octets of an AES key of `lean`, with its pointer, and of K2 and K3 with theirs: an MSP430."""


def of(suite: str, form: str = "small", board: str = "telosb") -> IpsecFootprintRow:
    """A row."""
    [row] = [
        row
        for row in rows_of("footprint")
        if (row.board, row.form, row.suite) == (board, form, suite)
    ]
    found: IpsecFootprintRow = row
    return found


def flash(form: Form, *symbols: str) -> int:
    """Text and data by the toolchain's own program."""
    words = ["avr-size", str(linked("msp430", symbols, form))]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    code, data, _ = map(int, said.splitlines()[1].split()[:3])
    return code + data


@pytest.mark.parametrize("form", AES)
def test_flash_is_what_the_toolchain_says(form: Form) -> None:
    """Of both programs, and their difference."""
    without = *BASE, *DRIVERS[form]
    row, base = of(BOTH, form), flash(form, *without)
    keys = f"wm_aes128_{AES[form]}_init", "wm_xcbc_mac_derive"
    assert row.base_flash_octets == base
    assert row.flash_octets == flash(form, *without, *ALWAYS, *COUNTERS[form], *NAMED, *keys) - base


def test_the_small_form_is_small() -> None:
    """AH and ESP by XCBC and CTR: 6 kB of flash at most; with the stack, 0.6 kB of RAM if keys are
    shared, as the paper's nodes had them."""
    row = of(BOTH)
    assert row.flash_octets <= 6 * 1024
    assert row.shared_state_octets + row.stack_octets <= 600


def test_state_is_tables_and_keys() -> None:
    """Two SAs of each protocol: each has its tables, and keys of its own if they are not shared. One
    key for CTR and one for XCBC are shared, or two and four are not."""
    ah, both = of("AH XCBC"), of(BOTH)
    assert (ah.associations, both.associations) == (2, 4)
    assert ah.state_octets - ah.shared_state_octets == KEY + XCBC_KEY
    assert both.state_octets - both.shared_state_octets == 1 * KEY + 3 * (KEY + XCBC_KEY)
    hmac = of("AH SHA1")
    assert hmac.state_octets - hmac.shared_state_octets == 20
    tables = ah.shared_state_octets - KEY - XCBC_KEY
    assert 2 * 24 < tables < 200
    assert tables == hmac.shared_state_octets - 20


def test_what_flash_is_made_of() -> None:
    """The parts are all of it. Suites with the same algorithms take the same of them, and nothing of
    what they do not have; every suite takes the same for its counters."""
    for row in rows_of("footprint"):
        algorithms = row.modes_octets, row.ciphers_octets, row.hashes_octets
        own = row.ipsec_octets + row.counters_octets
        assert own + sum(algorithms) + row.rest_octets == row.flash_octets
        assert min(row.ipsec_octets, row.counters_octets) > 500, row
        suite = SUITES[row.suite]
        names = " ".join(suite)
        assert (row.ciphers_octets > 250) == (row.ciphers_octets > 0) == ("aes" in names), row
        assert (row.hashes_octets > 250) == (row.hashes_octets > 0) == ("sha" in names), row
    for form in AES:
        ah, both, sha = (of(name, form) for name in ("AH XCBC", BOTH, "AH SHA1"))
        assert ah.ciphers_octets == both.ciphers_octets
        assert 0 <= both.modes_octets - ah.modes_octets < 64, (
            "no more than is inlined in CTR of ESP"
        )
        assert ah.counters_octets == both.counters_octets == sha.counters_octets


def test_what_shares_code() -> None:
    """AH and ESP together take less than both alone; CBC takes more than CTR, since it decrypts;
    combined modes need no code of their own beside CCM."""
    for form in AES:
        for board in ("telosb", "openmote-cc2538"):
            ah, esp, both = (of(name, form, board) for name in ("AH XCBC", "ESP CTR+XCBC", BOTH))
            assert max(ah.flash_octets, esp.flash_octets) < both.flash_octets
            assert both.flash_octets < ah.flash_octets + esp.flash_octets
            cbc = of("ESP CBC+XCBC", form, board)
            assert cbc.flash_octets > esp.flash_octets
            eight, sixteen = (of(f"ESP CCM-{octets}", form, board) for octets in (8, 16))
            assert eight.flash_octets == sixteen.flash_octets
    assert of(BOTH).flash_octets < of(BOTH, "fast").flash_octets


def test_stack() -> None:
    """A hash has its state there; AES has not."""
    found = {
        name: [of(name, form).stack_octets for form in AES] for name in ("AH XCBC", "AH SHA256")
    }
    assert min(found["AH XCBC"]) > 100
    assert max(found["AH XCBC"]) < min(300, *found["AH SHA256"])
    assert max(found["AH SHA256"]) < 600


def test_the_papers_figures() -> None:
    """Typed a second time, beside the rows that they were printed for."""
    names = ("AH SHA1", "AH XCBC", "ESP CBC", "ESP CTR", "ESP NULL+XCBC", "ESP CBC+XCBC")
    flash, ram = (3.9, 5.5, 8.5, 6.9, 6.9, 9.0), (1.1, 0.5, 0.3, 0.3, 0.3, 0.3)
    printed = dict(zip(names, zip(flash, ram, strict=True), strict=True))
    for row in rows_of("footprint"):
        assert (row.paper_flash_kb, row.paper_ram_kb) == printed.get(row.suite, (None, None))


def test_what_was_measured() -> None:
    """Every suite, in both forms, on both boards."""
    found = of_everything("footprint", "board", "form", "seed", "wardmote", "commit")
    assert found == {
        (board, form, 1, "1.0", "c0ffee") for board in ("telosb", "openmote-cc2538") for form in AES
    }
    assert len(rows_of("footprint")) == 2 * 2 * 16
