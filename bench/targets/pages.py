# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how soon the pages of build/report show a picture, and how soon a control answers.

Debian's Chromium opens each page from its file, as a reader does. Exit code 1 means that a picture
takes a second or more, or that a control takes 100 ms or more; 2, that a page is not there.
"""

import sys

from playwright.sync_api import Page, sync_playwright

from wardmote.paths import ROOT

REPORT = ROOT / "build" / "report"
CONTROLS = {
    "index.html": (),
    "explorer.html": ("a-board", "a-strategy", "a-level", "cells", "payload", "in"),
    "primitives/primitives.html": ("need", "cpu", "octets", "secrets"),
}
MOST_PICTURE_MS = 1000.0
MOST_ANSWER_MS = 100.0
TURN = """(id) => {
  const one = document.getElementById(id), start = performance.now();
  if (one.tagName === "SELECT") one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
  else if (one.tagName === "INPUT") one.stepUp();
  else one.click();
  for (const kind of ["input", "change"]) one.dispatchEvent(new Event(kind, { bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def worst(page: Page, controls: tuple[str, ...]) -> float:
    """The slowest of these controls, in ms; each is turned three times, and its best counts."""
    return max((min(page.evaluate(TURN, one) for _ in range(3)) for one in controls), default=0.0)


def main() -> int:
    """Every page."""
    if missing := [name for name in CONTROLS if not (REPORT / name).is_file()]:
        sys.stderr.write(f"bench: no {', '.join(missing)}: `make report` writes them\n")
        return 2
    enough = True
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, controls in CONTROLS.items():
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto((REPORT / name).as_uri())
            page.wait_for_timeout(300)
            first = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            picture, answer = page.evaluate(first), worst(page, controls)
            enough &= picture < MOST_PICTURE_MS and answer < MOST_ANSWER_MS
            sys.stdout.write(f"{name}: picture after {picture:.0f} ms, controls {answer:.0f} ms\n")
        browser.close()
    sys.stdout.write(
        f"  under {MOST_PICTURE_MS:g} ms and {MOST_ANSWER_MS:g} ms wanted: "
        f"{'ok' if enough else 'too slow'}\n"
    )
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
