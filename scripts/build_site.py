# SPDX-License-Identifier: BSD-3-Clause
"""Builds the documents as a site: build/site/index.html, which opens without a server.

    .venv/bin/python -m scripts.build_site [--report FOLDER] [SITE]

The pages are the repository's Markdown files where they lie, so that their links hold; a page for
each command, with its help and what it says today; and the report, if there is one. Fails if a link
leads nowhere.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from scripts.outputs import OutputError, printed, said
from wardmote.commands.register import GROUPS, Verb, verbs
from wardmote.commands.shared import Shown
from wardmote.errors import DONE, WardmoteError
from wardmote.experiments import placed
from wardmote.experiments.experiment import Experiment

ROOT = Path(__file__).resolve().parent.parent
FRAME = ROOT / "docs/site"
COMMANDS = "docs/commands"
PAGES = ("*.md", "docs/*.md", "docs/decisions/*.md", "*/README.md")
LINK = re.compile(r"(?<!\!)(\[[^\]]*\]\()(?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?(\))")
PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:)([^)\s]+)\)")
CONTENTS = "docs/README.md"
REPORT = "report/index.html"
WIDTH = 100
MOST_LINES = 60
"""So many lines of an output are shown: its beginning and its end, which is the answer."""


def put_together(pages: Path, report: Path) -> list[Any]:
    """Writes all pages into a folder; the navigation."""
    for place in sorted({path for pattern in PAGES for path in ROOT.glob(pattern)}):
        name = place.relative_to(ROOT)
        text = place.read_text(encoding="utf-8")
        write(pages / name, linked(text, name, pages))
    shutil.copy(FRAME / "iframe-worker.js", pages)
    commands = command_pages(pages, report)
    if has_report := (report / "index.html").is_file():
        ignored = shutil.ignore_patterns("*.md", ".*")
        shutil.copytree(report, pages / Path(REPORT).parent, ignore=ignored)
    return navigation(commands, report=has_report)


def write(path: Path, text: str) -> None:
    """A file, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def linked(text: str, name: Path, pages: Path) -> str:
    """The text of a document. What it links to or shows is put beside it; a folder becomes a page
    that lists its files. Raises OutputError for what is not there."""

    def target(link: str) -> Path:
        found = Path(os.path.normpath(name.parent / link))
        if not (ROOT / found).exists():
            raise OutputError(f"{name}: {link} leads nowhere")
        return found

    def new(match: re.Match[str]) -> str:
        begin, link, anchor, end = match[1], match[2], match[3] or "", match[4]
        found = target(link)
        if (ROOT / found).is_dir():
            if not (ROOT / found / "README.md").is_file():
                write(pages / found / "index.md", listing(found, pages))
            page = "README.md" if (ROOT / found / "README.md").is_file() else "index.md"
            return f"{begin}{link.rstrip('/')}/{page}{anchor}{end}"
        if found.suffix != ".md":
            shown_file(found, pages)
            return match[0] if found.suffix == ".svg" else f"{begin}{link}.txt{end}"
        return match[0]

    for match in PICTURE.finditer(text):
        copied(target(match[1]), pages)
    return LINK.sub(new, text)


def shown_file(found: Path, pages: Path) -> None:
    """A file that a page links to: browsers show text as text."""
    if found.suffix == ".svg":
        copied(found, pages)
    else:
        write(pages / f"{found}.txt", (ROOT / found).read_text(encoding="utf-8"))


def copied(found: Path, pages: Path) -> None:
    """A picture, where it lies."""
    (pages / found).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / found, pages / found)


def listing(folder: Path, pages: Path) -> str:
    """A page with the files of a folder, by their titles."""
    lines = [f"# {folder.name}", ""]
    for path in sorted((ROOT / folder).iterdir()):
        if path.suffix == ".md":
            lines.append(f"* [{title(path)}]({path.name})")
        elif path.is_file():
            shown_file(path.relative_to(ROOT), pages)
            lines.append(f"* [{path.name}]({path.name}.txt)")
    return "\n".join(lines) + "\n"


def title(path: Path) -> str:
    """The heading of a document."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# ").replace("`", "")


def navigation(commands: list[Any], *, report: bool) -> list[Any]:
    """Where a reader finds each page: the groups of docs/README.md, and the commands."""
    found: list[Any] = [{"Start": ["README.md", *START]}]
    if report:
        found.append({"Report": REPORT})
    text = (ROOT / CONTENTS).read_text(encoding="utf-8")
    for part in text.split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        links = [Path(os.path.normpath(Path("docs") / link)) for link in first_links(body)]
        pages = [str(link) for link in links if link.suffix == ".md"]
        found.append({heading: pages})
    return [*found, {"Commands": commands}, {"Changes": "CHANGELOG.md"}]


START = ("docs/tutorial.md",)


def first_links(table: str) -> Iterator[str]:
    """The link in the first cell of each line."""
    for line in table.splitlines():
        if match := re.match(r"\| \[[^\]]*\]\(([^)#]+)\)", line):
            yield match[1]


def command_pages(pages: Path, report: Path) -> list[Any]:
    """A page for each command; their navigation."""
    panels: dict[str, list[Any]] = {}
    for one in verbs():
        name = f"{COMMANDS}/{one.words.replace(' ', '-')}.md"
        write(pages / name, command_page(one, report))
        panel = GROUPS[one.group] if one.group else one.panel
        panels.setdefault(panel, []).append({one.words: name})
    return [{panel: own} for panel, own in panels.items()]


def command_page(one: Verb, report: Path) -> str:
    """What a command is for, what it says of examples, and its options."""
    lines = [f"# wardmote {one.words}", "", (one.function.__doc__ or "").strip(), ""]
    for question, (words, text) in examples(one, report).items():
        lines += [f"## {question}", "", f"    wardmote {words}", "", fenced(shortened(text))]
    return "\n".join([*lines, "## Options", "", fenced(said(f"{one.words} --help", WIDTH))])


def examples(one: Verb, report: Path) -> dict[str, tuple[str, str]]:
    """Question -> words and output, of what the page of a command shows. The report has the rows of
    experiments, so that they are not measured again."""
    kept = tomllib.loads((FRAME / "examples.toml").read_text(encoding="utf-8")).get(one.words, {})
    found = {question: (words, said(words, WIDTH)) for question, words in kept.items()}
    for place, experiment in placed().items():
        file = report / f"{place.name}.json"
        if f"{place.group} {place.verb}".strip() == one.words and file.is_file() and not found:
            found[experiment.question] = (
                one.words,
                printed(partial(shown, experiment, file), one.words, WIDTH),
            )
    return found


def shown(experiment: Experiment[Any, Any], file: Path) -> int:
    """Prints the rows of a report as the verb of the experiment does."""
    rows = experiment.read(file)
    conditions = [*experiment.conditions(rows), ("wardmote", rows[0].wardmote)]
    Shown().show(rows, experiment.columns, conditions, experiment.answer(rows))
    return DONE


def shortened(text: str) -> str:
    """The beginning and the end of a long output."""
    lines = text.splitlines()
    if len(lines) <= MOST_LINES:
        return text
    half = MOST_LINES // 2
    left = f"... {len(lines) - 2 * half} lines ..."
    return "\n".join([*lines[:half], left, *lines[-half:], ""])


def fenced(text: str) -> str:
    """Text as it is."""
    return f"```text\n{text.strip(chr(10))}\n```\n"


def build(site: Path, report: Path) -> None:
    """The site; raises OutputError if a link leads nowhere."""
    site = site.resolve()
    work = site.with_name(f"{site.name}-pages")
    shutil.rmtree(work, ignore_errors=True)
    nav = put_together(work / "pages", report)
    settings = (FRAME / "mkdocs.yml").read_text(encoding="utf-8")
    own = {"docs_dir": "pages", "site_dir": str(site), "nav": nav}
    lines = [f"{name}: {json.dumps(value)}\n" for name, value in own.items()]
    write(work / "mkdocs.yml", settings + "".join(lines))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--quiet",
            "-f",
            str(work / "mkdocs.yml"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OutputError(f"mkdocs: {done.stdout}{done.stderr}")
    shutil.rmtree(work)
    (site / "404.html").unlink()  # Its links are for a server.


def main() -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--report", type=Path, default=ROOT / "build/report")
    parser.add_argument("site", type=Path, nargs="?", default=ROOT / "build/site")
    given = parser.parse_args()
    try:
        build(given.site, given.report)
    except (OutputError, WardmoteError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    print(given.site / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
