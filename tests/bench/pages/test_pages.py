# SPDX-License-Identifier: BSD-3-Clause
"""All pages of a report in a browser: they open from a file and ask for nothing else, fit the screen
and paper, lead somewhere, can be used by everybody, and save what they show."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.bench.pages.conftest import SCREENS, Opened

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.turns(2, "pages")]
PAGES = ("index.html", "explorer.html", "primitives/primitives.html")
WIDTHS = {1280: 800, 390: 844}
SERIOUS = ("serious", "critical")
EXPLORER_OCTETS = 2 * 1024 * 1024
COMPARED = "#board=telosb&strategy=software&level=5&b.board=telosb&b.strategy=hardware&b.level=5"

Opens = Callable[..., Opened]


def present(report: Path) -> list[str]:
    """The pages of this report: primitives are measured by `make report` alone."""
    return [name for name in PAGES if (report / name).is_file()]


def test_the_explorer_is_small(report: Path) -> None:
    """The page is loaded as a whole."""
    assert 100_000 < (report / "explorer.html").stat().st_size <= EXPLORER_OCTETS


def test_a_page_asks_for_nothing_but_itself(report: Path, opened: Opens) -> None:
    """From a file, without a server: one request each, and no error on the console."""
    assert "index.html" in present(report)
    for name in present(report):
        url = (report / name).as_uri()
        made = opened(url)
        made.page.wait_for_timeout(100)
        assert made.requests == [url]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", list(WIDTHS))
def test_a_page_fits_its_screen(
    report: Path, opened: Opens, root: Path, width: int, scheme: str
) -> None:
    """Nothing is wider than the screen. The pictures are kept."""
    kept = root / SCREENS
    kept.mkdir(parents=True, exist_ok=True)
    for name in [*present(report), f"explorer.html{COMPARED}"]:
        file, mark, hash_ = name.partition("#")
        made = opened((report / file).as_uri() + mark + hash_, width, WIDTHS[width], scheme)
        assert made.page.evaluate("document.documentElement.scrollWidth") <= width, name
        stem = f"{Path(file).stem}{'-two' if hash_ else ''}-{width}-{scheme}.png"
        made.page.screenshot(path=kept / stem)
        dark = made.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", dark)[:3])) < 200) == (scheme == "dark")


def test_the_first_screen_has_the_answer(report: Path, opened: Opens) -> None:
    """Sentence, table and picture end above the lower edge at 1280 px; at 390 px sentence and table
    do. No label of the picture covers another."""
    for width, wanted in (
        (1280, (".answer", ".opening", "figure svg")),
        (390, (".answer", ".opening")),
    ):
        made = opened((report / "index.html").as_uri(), width, WIDTHS[width])
        for place in wanted:
            box = made.page.locator(place).first.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= WIDTHS[width], place
        assert covered(made.page, "figure svg") == []


def test_no_text_of_the_explorer_covers_another(report: Path, opened: Opens) -> None:
    """On both screens, with one case and with two."""
    for width, height in WIDTHS.items():
        for hash_ in ("", COMPARED):
            made = opened((report / "explorer.html").as_uri() + hash_, width, height)
            for place in ("#a-slot svg", "#a-current svg"):
                assert covered(made.page, place) == [], (width, hash_)


def test_no_text_of_the_charts_of_primitives_covers_another(report: Path, opened: Opens) -> None:
    """For every need and CPU."""
    if "primitives/primitives.html" not in present(report):
        pytest.skip("no page of primitives: `make report` writes it")
    page = opened((report / "primitives/primitives.html").as_uri()).page
    for name in ("need", "cpu"):
        for value in page.locator(f"#{name} option").evaluate_all(
            "(all) => all.map((e) => e.value)"
        ):
            page.locator(f"#{name}").select_option(value)
            for place in ("#by-size svg", "#by-flash svg"):
                assert covered(page, place) == [], (name, value, place)


def covered(page: Page, place: str) -> list[Any]:
    """Pairs of texts of a picture that lie on one another."""
    found: list[Any] = page.locator(place).first.evaluate(
        """(svg) => {
          const texts = [...svg.querySelectorAll("text")].map((one) => [one.textContent,
            one.getBoundingClientRect()]);
          return texts.flatMap(([a, p], n) => texts.slice(n + 1).filter(([, q]) =>
            p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 3
            && q.top < p.bottom - 3).map(([b]) => [a, b]));
        }"""
    )
    return found


def test_every_link_leads_somewhere(report: Path, opened: Opens) -> None:
    """To a file of the folder, and to a place that the page has; an address of the explorer is a
    case that it shows."""
    names: dict[str, set[str]] = {}
    links: set[tuple[str, str]] = set()
    for name in present(report):
        made = opened((report / name).as_uri())
        names[name] = set(
            made.page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        )
        hrefs = made.page.evaluate(
            "[...document.querySelectorAll('a')].map((e) => e.getAttribute('href'))"
        )
        links |= {(name, href) for href in hrefs}
    assert len(links) > 50
    for name, href in links:
        place, fragment = urldefrag(urljoin(f"file:///{name}", href))
        file = unquote(urlsplit(place).path).lstrip("/")
        if file in PAGES and file not in names:
            continue
        assert (report / file).is_file(), (name, href)
        if fragment and file in names and "=" not in fragment:
            assert fragment in names[file], (name, href)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.turns(3, "axe")
def test_axe_finds_nothing_serious(report: Path, opened: Opens, scheme: str) -> None:
    """axe-core on each page, the explorer also with two cases and on a narrow screen. What is dark
    differs in its colours alone. Of a table, the first rows stand for the rest."""
    places = [(name, 1280) for name in [*present(report), f"explorer.html{COMPARED}"]]
    only = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
    for name, width in [*places, ("explorer.html", 390)]:
        file, mark, hash_ = name.partition("#")
        made = opened((report / file).as_uri() + mark + hash_, width, WIDTHS[width], scheme)
        made.page.evaluate(
            """document.querySelectorAll("tr:nth-child(n+6), .drawn svg > *")
               .forEach((one) => one.remove())"""
        )
        found = Axe().run(made.page, options={"resultTypes": ["violations"], **only})
        serious = [
            (one["id"], one["nodes"][0]["html"][:120], len(one["nodes"]))
            for one in found.response["violations"]
            if one["impact"] in SERIOUS
        ]
        assert serious == [], name


def test_paper_has_no_controls(report: Path, opened: Opens) -> None:
    """What is printed has figures and tables, and neither bar nor buttons."""
    made = opened((report / "explorer.html").as_uri())
    made.page.emulate_media(media="print")
    assert made.page.locator("#a-slot svg").is_visible()
    for place in (".bar", "#compare", ".export", "#a-board"):
        assert not made.page.locator(place).first.is_visible(), place


def test_light_and_dark_can_be_chosen(report: Path, opened: Opens) -> None:
    """The button turns the page over, and says what it will do next."""
    page = opened((report / "index.html").as_uri(), scheme="dark").page
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    assert page.locator(".theme").inner_text() == "Light"
    page.locator(".theme").click()
    assert page.evaluate(ground) != before
    assert page.locator(".theme").inner_text() == "Dark"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("index.html", "shortest-slots"),
        ("index.html", "charge-of-a-slot-by-phase"),
        ("explorer.html", "slot-a"),
        ("explorer.html", "current-a"),
        ("explorer.html", "numbers"),
        ("primitives/primitives.html", "candidates"),
        ("primitives/primitives.html", "time-by-flash"),
    ],
)
def test_what_is_saved_is_valid(report: Path, opened: Opens, name: str, place: str) -> None:
    """SVG is XML that needs no style of the page; PNG, CSV and LaTeX are whole and agree with the
    table."""
    if name not in present(report):
        pytest.skip(f"no {name}: `make report` writes it")
    page = opened((report / name).as_uri(), accept_downloads=True).page
    part = page.locator(f'[data-export="{place}"]')
    rows = part.locator("table").first.locator("tr").count() if part.locator("table").count() else 0
    buttons = part.locator(".exports button").all_inner_texts()
    assert ({"CSV", "LaTeX"} <= set(buttons)) == (rows > 0)
    assert ("SVG" in buttons) == (part.locator("figure").count() > 0)
    for way in buttons:
        with page.expect_download() as download:
            part.locator(".exports button", has_text=way).first.click()
        assert download.value.suggested_filename.startswith(f"{place}.")
        check_saved(way, Path(download.value.path()).read_bytes(), rows)


def check_saved(way: str, octets: bytes, rows: int) -> None:
    """One file."""
    if way == "PNG":
        assert octets[:8] == b"\x89PNG\r\n\x1a\n"
        assert octets[-8:-4] == b"IEND"
        width = int.from_bytes(octets[16:20])
        assert width >= 900
        return
    text = octets.decode()
    if way == "SVG":
        root = ElementTree.fromstring(text)
        assert root.tag.endswith("svg")
        assert "var(--" not in text
        assert (
            sum(one.tag.endswith(("rect", "path", "polyline", "circle")) for one in root.iter()) > 5
        )
    elif way == "CSV":
        lines = list(csv.reader(io.StringIO(text)))
        assert len(lines) == rows
        assert len({len(line) for line in lines}) == 1
    else:
        assert check_latex(text) == rows


def check_latex(text: str) -> int:
    """Rows of a tabular: each has as many cells as it has columns, and no bare special."""
    [columns] = re.findall(r"\\begin\{tabular\}\{([lr]+)\}", text)
    for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}"):
        assert text.count(rule) == 1
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    for line in lines:
        assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1, line
        assert not re.search(r"(?<!\\)[%#_]", line), line
    return len(lines)
