# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote recommend`: the cheapest that meets the need, with figures that are those of `wardmote
primitives`; what does not meet it is named with the reason."""

import json
from typing import Any

import pytest

from tests.bench.refusals import check_refused, output
from wardmote import cli
from wardmote.study.primitives.choice import UNSOUND
from wardmote.study.primitives.recommend import ENTRIES, NEEDS, SHOWS, Need

AVR = ("recommend", "--need", "aead", "--cpu", "avr", "--octets", "12")
Rows = list[dict[str, Any]]


def rows_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Rows:
    """The rows of a command."""
    found, out, _ = output(capsys, *words, "--format", "json")
    assert found == code
    rows: Rows = json.loads(out)
    return rows


def test_figures_are_those_of_primitives(capsys: pytest.CaptureFixture[str]) -> None:
    """Cycles of seal, flash, RAM and the deepest stack of init and seal; time and energy follow
    from cycles; with a new key init comes on top."""
    rows = rows_of(capsys, *AVR)
    words = ("primitives", "--cpu", "avr", "--only", "ccm", "--size", "12", "--runs", "3")
    measured = [row for row in rows_of(capsys, *words) if row["variant"] == "aes128-tab"]
    seal = next(row for row in measured if (row["operation"], row["a_octets"]) == ("seal", 0))
    init = next(row for row in measured if row["operation"] == "init")
    [ours] = [row for row in rows if (row["primitive"], row["variant"]) == ("ccm", "aes128-tab")]
    assert ours["cycles"] == seal["cycles"]
    assert ours["flash_octets"] == seal["flash_octets"]
    assert ours["ram_octets"] == seal["ram_octets"] + seal["static_ram_octets"]
    assert ours["stack_octets"] >= max(init["stack_octets"], seal["stack_octets"])
    assert ours["time_us"] == pytest.approx(1e6 * seal["cycles"] / 7_372_800, rel=1e-6)
    assert ours["energy_uj"] == pytest.approx(seal["energy_uj"], rel=1e-3)
    assert (ours["board"], ours["clock_hz"]) == ("atmega128", 7_372_800)
    assert (ours["wardmote"], ours["commit"]) == (seal["wardmote"], seal["commit"])
    renewed = rows_of(capsys, *AVR, "--new-key")
    [ours] = [row for row in renewed if (row["primitive"], row["variant"]) == ("ccm", "aes128-tab")]
    assert ours["cycles"] == seal["cycles"] + init["cycles"]


@pytest.mark.parametrize("secrets", SHOWS)
@pytest.mark.parametrize("need", NEEDS)
def test_the_first_is_the_cheapest_that_meets_the_need(
    capsys: pytest.CaptureFixture[str], need: str, secrets: str
) -> None:
    """Places count from the fewest cycles on. What has no place says why, and rightly."""
    words = ("recommend", "--need", need, "--cpu", "msp430", "--octets", "20")
    # No stream cipher of 128 bits is there whose secrets change no address.
    none = need in ("encryption", "stream") and secrets == "nothing"
    rows = rows_of(capsys, *words, "--flash", "6k", "--secrets", secrets, code=int(none))
    places = [row for row in rows if row["place"]]
    assert [row["place"] for row in places] == list(range(1, len(places) + 1))
    assert [row["cycles"] for row in places] == sorted(row["cycles"] for row in places)
    assert len({(row["primitive"], row["variant"]) for row in rows}) == len(rows)
    for row in rows:
        names = (row["primitive"], *row["variant"].split())
        bits = ENTRIES[row["primitive"], row["variant"]].values.get("key")
        assert row["key_bits"] == (0 if need == "hash" or bits is None else 8 * bits.octets)
        faults = (
            any(name in UNSOUND for name in names),
            0 < row["key_bits"] < 128,
            SHOWS.index(row["shows"]) > SHOWS.index(secrets),
            row["flash_octets"] > 6 * 1024,
        )
        assert bool(row["place"]) == (not any(faults)) == (not row["against"])
        assert (row["need"], row["cpu"], row["octets"]) == (need, "msp430", 20)
        assert row["more"] == pytest.approx(row["cycles"] / rows[0]["cycles"] - 1, abs=1e-4)


def test_the_answer_has_reason_runner_up_and_cost(capsys: pytest.CaptureFixture[str]) -> None:
    """In sentences below the table."""
    assert cli.main(AVR) == 0
    said = " ".join(capsys.readouterr().out.split())
    rows = [row for row in rows_of(capsys, *AVR) if row["place"]]
    best = f"{rows[0]['primitive']} {rows[0]['variant']}".strip()
    assert f"Use {best}: {rows[0]['cycles']} cycles, " in said
    assert f"Why: It takes the fewest cycles of {len(rows)} candidates whose secrets" in said
    other = next(row for row in rows if row["primitive"] != rows[0]["primitive"])
    assert f"Runner-up: {other['primitive']} {other['variant']}".strip() in said
    assert f"{other['flash_octets'] - rows[0]['flash_octets']:+d}" in said


def test_nothing_meets_the_need(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, with the nearest and what is against it."""
    words = ("recommend", "--need", "hash", "--cpu", "armv7m", "--octets", "80", "--flash", "100")
    code, out, _ = output(capsys, *words)
    assert code == 1
    said = " ".join(out.split())
    assert "Nothing meets the need. blake2s would take " in said
    assert "octets of flash." in said


def test_a_stream_adds_no_octet() -> None:
    """Modes that fill blocks up are no stream; they are encryption."""
    stream, any_ = Need("stream", "avr", 20), Need("encryption", "avr", 20)
    taken = {one.name for one in ENTRIES.values() if stream.takes(one)}
    assert {"ctr", "trivium", "grain_v1"} == taken
    assert taken < {one.name for one in ENTRIES.values() if any_.takes(one)}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--need", "ae"), "no need 'ae': did you mean aead?"),
        (("--cpu", "z80"), "no CPU 'z80'"),
        (("--octets", "0"), "no length 0: possible are 1 to 1024 octets"),
        (("--octets", "1025"), "no length 1025"),
        (("--flash", "0"), "no amount of flash '0'"),
        (("--flash", "4M"), "no amount of flash '4M'"),
        (("--flash", ""), "no amount of flash ''"),
        (("--secrets", "all"), "no --secrets 'all'"),
        (("--key-bits", "0"), "number of key bits"),
        (("--board", "micaz@1MHz"), "micaz"),
    ],
)
def test_needs_that_cannot_be(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    """Each ends with 2 and one line."""
    check_refused(capsys, says, *AVR, *words)
