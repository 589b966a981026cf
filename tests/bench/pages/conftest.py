# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Chromium on the pages of build/report, which `make test` brings up to date."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from wardmote.rows import Provenance, SlotRow
from wardmote.study.explored import Explored, KindCharge
from wardmote.study.trace import Trace

SCREENS = "build/screens"
"""Where the pictures of all pages are kept."""


@pytest.fixture(scope="session")
def report(root: Path) -> Path:
    """The folder of the report."""
    return root / "build/report"


@pytest.fixture(scope="session")
def browser(oracle: Callable[[str], str]) -> Iterator[Browser]:
    """One browser for all tests."""
    with sync_playwright() as driver:
        found = driver.chromium.launch(
            executable_path=oracle("chromium"), args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        yield found
        found.close()


class Opened:
    """A page with what it asked for and what it complained about."""

    def __init__(self, page: Page) -> None:
        """Listens before anything is loaded."""
        self.page = page
        self.requests: list[str] = []
        self.faults: list[str] = []
        page.on("request", lambda one: self.requests.append(one.url))
        page.on("pageerror", lambda one: self.faults.append(str(one)))
        page.on(
            "console", lambda one: self.faults.append(one.text) if one.type == "error" else None
        )


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Opened]]:
    """Opens a page; when the test ends, no page may have complained."""
    contexts, pages = [], []

    def one(
        url: str, width: int = 1280, height: int = 800, scheme: Any = "light", **more: Any
    ) -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **more
        )
        contexts.append(context)
        made = Opened(context.new_page())
        pages.append(made)
        made.page.goto(url)
        return made

    yield one
    faults = [fault for made in pages for fault in made.faults]
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture(scope="session")
def shown(report: Path) -> list[dict[str, Any]]:
    """The rows of explorer.json."""
    return list(json.loads((report / "explorer.json").read_text(encoding="utf-8"))["rows"])


@pytest.fixture(scope="session")
def explored(shown: list[dict[str, Any]]) -> list[Explored]:
    """The same as Python has them, but for traces and states, which nothing is computed from."""
    return [_explored(one) for one in shown]


def _explored(values: dict[str, Any]) -> Explored:
    made = {
        field.name: values[f"provenance_{field.name}"] for field in dataclasses.fields(Provenance)
    }
    whole: dict[str, Any] = {"states": (), "low": None, "provenance": Provenance(**made)}
    row = SlotRow(
        **{
            field.name: whole[field.name] if field.name in whole else values[field.name]
            for field in dataclasses.fields(SlotRow)
        }
    )
    return Explored(row, Trace(0, (), ()), tuple(KindCharge(*one) for one in values["kinds"]))
