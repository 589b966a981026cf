# SPDX-License-Identifier: BSD-3-Clause
"""The explorer of slots in a browser: each control changes what it should and nothing else is lost,
an address brings everything back, and keys do what the mouse does."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urldefrag

import pytest
from playwright.sync_api import Page

from tests.bench.pages.conftest import Opened

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.turns(2, "explorer")]
Opens = Callable[..., Opened]
START = "#board=telosb&strategy=software&level=5&definition=deployable"
CHOICES = (
    "board",
    "strategy",
    "level",
    "definition",
    "clock",
    "turnaround",
    "ash",
    "frame",
    "guard",
)


def words(page: Page) -> dict[str, str]:
    """The address."""
    return {name: one for name, [one] in parse_qs(urldefrag(page.url).fragment).items()}


def texts(page: Page) -> dict[str, str]:
    """What the page shows."""
    found: dict[str, str] = page.evaluate(
        """Object.fromEntries(["a-verdict", "a-slot", "a-current", "numbers", "computed", "formulas",
          "b-verdict"].map((id) => [id, document.getElementById(id).innerHTML]))"""
    )
    return found


@pytest.mark.parametrize("word", CHOICES)
def test_a_choice_shows_another_case(report: Path, opened: Opens, word: str) -> None:
    """Every value of every choice: the address has it, the page shows a row that has it, and if
    other choices had to change a note names them."""
    page = opened((report / "explorer.html").as_uri() + START).page
    select = page.locator(f"#a-{word}")
    values = select.locator("option").evaluate_all("(all) => all.map((one) => one.value)")
    assert len(values) > 1
    for value in values:
        page.goto((report / "explorer.html").as_uri() + START)
        before, seen, now = words(page), texts(page), select.input_value()
        marked = select.locator(f'option[value="{value}"]').inner_text().endswith("*")
        if value == now:
            continue
        select.select_option(value)
        after = words(page)
        assert after[word] == value
        row = page.evaluate("(() => { const { a } = wardmote.state; return a; })()")
        field = page.evaluate("wardmote.data.choices")[word]
        assert str(row[field]) in (value, f"{float(value):g}" if value[0].isdigit() else value)
        changed = texts(page)
        assert changed["numbers"] != seen["numbers"]
        assert changed["a-slot"] != seen["a-slot"]
        others = [
            name
            for name in CHOICES
            if before
            and name not in (word, "guard")
            and after[name] != before.get(name, after[name])
        ]
        note = page.locator("#a-note").inner_text()
        assert bool(others) <= bool(note)
        assert bool(note) == marked, (word, value)


def test_sliders_change_what_is_computed_and_nothing_measured(report: Path, opened: Opens) -> None:
    """Cells, traffic, payload, battery: computed numbers and formulas change, rows do not. With more
    traffic the battery lasts shorter, with more charge longer."""
    page = opened((report / "explorer.html").as_uri() + START).page
    page.locator("details:has(#formulas) summary").click()

    def days() -> float:
        return float(
            page.locator("#computed tr", has_text="sender: battery")
            .locator("td")
            .first.inner_text()
        )

    def moved(name: str, key: str) -> tuple[float, float]:
        before, seen = days(), texts(page)
        page.locator(f"#{name}").focus()
        page.keyboard.press(key)
        after = texts(page)
        assert after["computed"] != seen["computed"], name
        assert after["formulas"] != seen["formulas"], name
        for same in ("numbers", "a-slot", "a-current", "a-verdict"):
            assert after[same] == seen[same], name
        assert name in words(page)
        return before, days()

    before, after = moved("cells", "End")
    assert after < before
    moved("cells", "Home")
    before, after = moved("every", "End")
    assert after > before
    assert page.locator("#every-said").inner_text() == "every 3600 s"
    moved("every", "Home")
    before, after = moved("payload", "Home")
    assert after > before
    moved("payload", "ArrowRight")
    assert "Interpolated: " in page.locator("#formulas").inner_text()
    before, after = moved("mah", "End")
    assert after > before


def test_only_rows_are_unmarked(report: Path, opened: Opens) -> None:
    """Each number of the tables either names the field of a row or the energy of its phases, or is
    marked as computed."""
    page = opened((report / "explorer.html").as_uri() + START).page
    unmarked = page.evaluate(
        """[...document.querySelectorAll("#numbers tr, #computed tr")].filter((row) =>
          row.querySelector("td") && !row.querySelector(".computed, [data-field]"))
          .map((row) => row.querySelector("th").textContent)"""
    )
    phases = ("cpu", "tx", "rx", "idle", "engine")
    assert unmarked == [f"{node}, {phase}" for node in ("sender", "receiver") for phase in phases]
    assert page.locator("#computed tr:has(td):not(:has(.computed))").count() == 0


def test_two_cases_stand_side_by_side(report: Path, opened: Opens) -> None:
    """The second case has its own choices; the table has both, their difference and its per cent;
    one time scale holds for both."""
    page = opened((report / "explorer.html").as_uri() + START).page
    page.locator("#compare").click()
    page.locator("#b-strategy").select_option("hardware")
    assert words(page)["b.strategy"] == "hardware"
    a, b = (page.locator(f"#case-{name}").bounding_box() for name in "ab")
    assert a is not None
    assert b is not None
    assert a["x"] + a["width"] <= b["x"]
    cells = page.locator("#numbers tr", has_text="Shortest slot").first.locator("td")
    first, second, difference, percent = (
        float(one.split()[0]) for one in cells.all_inner_texts()[:4]
    )
    assert second < first
    assert difference == pytest.approx(second - first, abs=0.0011)
    assert percent == pytest.approx(100 * difference / first, abs=0.051)
    ends = [
        page.locator(f"#{name}-slot [data-phase='sec1']").first.evaluate(
            "(box) => box.getBoundingClientRect().width / (box.dataset.to - box.dataset.from)"
        )
        for name in "ab"
    ]
    assert ends[0] == pytest.approx(ends[1], rel=0.02)
    page.locator("#compare").click()
    assert not page.locator("#case-b").is_visible()
    assert "b.board" not in words(page)


def test_the_slot_is_drawn_to_scale(report: Path, opened: Opens) -> None:
    """Every part is as wide as it is long."""
    page = opened((report / "explorer.html").as_uri() + START).page
    parts = page.locator("#a-slot [data-phase]").evaluate_all(
        "(all) => all.map((one) => [Number(one.getAttribute('width')),"
        " one.dataset.to - one.dataset.from])"
    )
    scales = [width / us for width, us in parts if width > 1]
    assert len(scales) > 10
    assert max(scales) == pytest.approx(min(scales), rel=1e-6)


@pytest.mark.parametrize("by", ["keys", "buttons"])
def test_zoom(report: Path, opened: Opens, by: str) -> None:
    """In, later, out, all; and a phase from the list fills the picture."""
    page = opened((report / "explorer.html").as_uri() + START).page

    def act(key: str, button: str) -> tuple[float, float] | None:
        before = texts(page)["a-current"]
        if by == "keys":
            page.locator("#a-slot").focus()
            page.keyboard.press(key)
        else:
            page.locator(button).click()
        assert texts(page)["a-current"] != before, key
        view = words(page).get("view")
        return (float(view.split("-")[0]), float(view.split("-")[1])) if view else None

    first = act("+", "#in")
    assert first is not None
    later = act("ArrowRight", "#right")
    assert later is not None
    assert later[0] > first[0]
    assert later[1] - later[0] == pytest.approx(first[1] - first[0], abs=0.3)
    wide = act("-", "#out")
    assert wide is None or wide[1] - wide[0] > later[1] - later[0]
    act("+", "#in")
    assert act("0", "#all") is None
    page.locator("#phase").select_option("sec1")
    box = page.locator("#a-slot [data-phase='sec1']").first.bounding_box()
    assert box is not None
    assert box["width"] > 800


def test_pointing_tells_phase_and_states(report: Path, opened: Opens) -> None:
    """In the middle of the data frame both nodes have it as their phase, one with TX and one with
    RX."""
    page = opened((report / "explorer.html").as_uri() + START).page
    page.locator("#a-slot [data-phase='data frame']").first.hover()
    said = page.locator("#a-moment").inner_text()
    assert said.count("data frame") == 2
    assert "tx" in said
    assert "rx" in said


def test_an_address_brings_everything_back(report: Path, opened: Opens) -> None:
    """Choices, second case, sliders and zoom, in a new window."""
    page = opened((report / "explorer.html").as_uri() + START).page
    page.locator("#a-level").select_option("7")
    page.locator("#compare").click()
    page.locator("#b-board").select_option("openmote-cc2538")
    for name, key in (("cells", "PageUp"), ("every", "PageUp"), ("payload", "PageDown")):
        page.locator(f"#{name}").focus()
        page.keyboard.press(key)
    page.locator("#in").click()
    page.locator("#left").click()
    again = opened(page.url).page
    before, after = texts(page), texts(again)
    for name, text in before.items():
        assert after[name] == text, name
    state = (
        """[...document.querySelectorAll("select:not(#phase), input")].map((one) => one.value)"""
    )
    assert again.evaluate(state) == page.evaluate(state)
    assert words(again) == words(page)


@pytest.mark.parametrize(
    "hash_",
    [
        "#board=nothing&level=99&strategy=%00",
        "#cells=1e9&every=-1&payload=NaN&mah=x&battery=__proto__",
        "#view=5-1",
        "#view=1-2-3&view=",
        "#b.level=",
        "#%E0%A4%A",
    ],
)
def test_a_wrong_address_shows_a_case(report: Path, opened: Opens, hash_: str) -> None:
    """What cannot be is left out, and nothing else fails."""
    page = opened((report / "explorer.html").as_uri() + hash_).page
    assert page.locator("#a-slot svg").is_visible()
    assert "NaN" not in page.locator("main").inner_text()
    assert "undefined" not in page.locator("main").inner_text()


def test_a_phone_can_choose_and_compare(report: Path, opened: Opens) -> None:
    """At 390 px with a finger: choices, comparison and figures, one below the other."""
    made = opened((report / "explorer.html").as_uri(), 390, 844, has_touch=True)
    page = made.page
    page.locator("#a-strategy").select_option("hardware")
    page.locator("#compare").tap()
    boxes: list[Any] = [page.locator(f"#case-{name}").bounding_box() for name in "ab"]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
