# SPDX-License-Identifier: BSD-3-Clause
"""The site: every link and anchor leads somewhere, nothing is asked of another machine, and each
command has a page with what it prints."""

import html
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest

from scripts import build_site
from scripts.outputs import OutputError, said
from wardmote.commands.register import verbs

pytestmark = pytest.mark.turns(3)

ELSEWHERE = re.compile(r"(https?:|data:|mailto:|javascript:)")


class Page(HTMLParser):
    """Links, what is loaded, and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what a tag points to."""
        given = {name: value for name, value in attrs if value}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        link = given.get("href") or given.get("src")
        if link:
            (self.links if tag == "a" else self.loaded).append(link)


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with the report of `make report`."""
    place = tmp_path_factory.mktemp("made") / "site"
    build_site.build(place, root / "build/report")
    return place


@pytest.fixture(scope="module")
def pages(site: Path) -> Mapping[Path, Page]:
    """All its pages but those of the report, which have tests of their own."""
    found = (path for path in site.rglob("*.html") if "report" not in path.relative_to(site).parts)
    return {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in found}


def faults(pages: Mapping[Path, Page]) -> list[str]:
    """Links that lead nowhere, and what is loaded from another machine."""
    found = []
    for path, page in pages.items():
        found += [f"{path.name} loads {link}" for link in page.loaded if ELSEWHERE.match(link)]
        for link in (*page.links, *page.loaded):
            if ELSEWHERE.match(link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            target = target / "index.html" if target.is_dir() else target
            wanted = pages[target].anchors if target in pages and anchor else {anchor}
            if not target.exists() or anchor not in wanted:
                found.append(f"{path.name}: {link}")
    return found


@pytest.mark.early
@pytest.mark.xdist_group("site")
def test_every_link_leads_somewhere(pages: Mapping[Path, Page], site: Path) -> None:
    """Of all pages; a broken link, a lost anchor and a script of others would be seen."""
    assert len(pages) > 80
    assert faults(pages) == []
    text = '<a href="none.html">a</a> <a href="#none">b</a> <script src="https://x/y.js"></script>'
    broken = {(site / "index.html").resolve(): Page(text)}
    assert len(faults(broken)) == 3


@pytest.mark.xdist_group("site")
def test_every_document_and_command_is_in_the_navigation(
    pages: Mapping[Path, Page], site: Path, root: Path
) -> None:
    """The first page links to all of them, and to the report."""
    first = site / "index.html"
    linked = {(site / link.partition("#")[0]).resolve() for link in pages[first.resolve()].links}
    documents = [
        f"docs/{path.stem}.html" for path in root.glob("docs/*.md") if path.stem != "README"
    ]
    commands = [f"docs/commands/{one.words.replace(' ', '-')}.html" for one in verbs()]
    wanted = {(site / name).resolve() for name in (*documents, *commands, "report/index.html")}
    assert wanted - linked == set()


@pytest.mark.xdist_group("site")
def test_a_command_has_a_page_with_what_it_prints(site: Path) -> None:
    """Help and examples, line by line; a report's experiments too."""
    text = text_of((site / "docs/commands/recommend.html").read_text(encoding="utf-8"))
    out = said("recommend --need aead --cpu avr --octets 12", build_site.WIDTH)
    for line in (*out.splitlines(), *said("recommend --help", build_site.WIDTH).splitlines()):
        assert line in text, line
    for one in ("tinysec-packet", "ipsec-footprint"):
        page = text_of((site / f"docs/commands/{one}.html").read_text(encoding="utf-8"))
        assert re.search(r"\n-{3,}  -", page), one


def text_of(source: str) -> str:
    """The text of a page, as it is read."""
    return html.unescape(re.sub(r"<[^>]+>", "", source))


def test_a_link_to_nothing_is_refused(tmp_path: Path) -> None:
    """One line names document and link."""
    with pytest.raises(OutputError, match=r"docs/x.md: none.md leads nowhere"):
        build_site.linked("see [it](none.md)", Path("docs/x.md"), tmp_path)
    with pytest.raises(OutputError, match=r"docs/x.md: none.svg leads nowhere"):
        build_site.linked("![it](none.svg)", Path("docs/x.md"), tmp_path)


def test_folders_and_files_become_pages(tmp_path: Path) -> None:
    """A folder lists its files; what is no document is shown as text."""
    text = "[a](decisions/) [b](../examples/keys.toml) [c](README.md#x) [d](https://x/y)"
    new = build_site.linked(text, Path("docs/x.md"), tmp_path)
    assert new == (
        "[a](decisions/index.md) [b](../examples/keys.toml.txt) [c](README.md#x) [d](https://x/y)"
    )
    assert (tmp_path / "docs/decisions/index.md").read_text().count("\n* [") > 3
    assert (tmp_path / "examples/keys.toml.txt").is_file()


def test_a_command_that_cannot_run_is_refused() -> None:
    """Its exit code and its line are told."""
    with pytest.raises(OutputError, match="wardmote recommend --need x: exit code 2"):
        said("recommend --need x", 80)


def test_long_outputs_keep_both_ends() -> None:
    """And say how many lines are left out."""
    text = "".join(f"{n}\n" for n in range(100))
    assert build_site.shortened(text).splitlines()[29:32] == ["29", "... 40 lines ...", "70"]
    assert build_site.shortened("a\nb\n") == "a\nb\n"
