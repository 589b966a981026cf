# SPDX-License-Identifier: BSD-3-Clause
"""Our AES-128 and CCM* beside other libraries: what is measured, what the page says, what is
refused."""

import dataclasses
import io
import re
import tarfile
from pathlib import Path

import pytest

from bench.targets import libraries as bench_libraries
from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner
from wardmote.campaign.store import Store
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError
from wardmote.measurements.libraries import measure, sources
from wardmote.measurements.libraries.attempts import WrongAnswerError
from wardmote.measurements.libraries.builds import LIBRARIES
from wardmote.measurements.libraries.measure import library_rows
from wardmote.measurements.libraries.rows import OURS, LibraryRow
from wardmote.measurements.libraries.sources import MBEDTLS, Source
from wardmote.measurements.libraries.variants import Variant
from wardmote.study.libraries import first
from wardmote.views import libraries as view
from wardmote.views.table import Column

PAGE = "docs/how-do-we-compare-with-other-libraries.md"
TOLERANCE = 0.05
"""Of a figure in the page: a compiler moves it a little, the page need not follow."""
TAB = dataclasses.replace(LIBRARIES[0], variants=LIBRARIES[0].variants[:1])
FIGURES: tuple[Column[LibraryRow], ...] = tuple(
    column for column in view.COLUMNS if not column.text and not column.name.endswith("ratio")
)


def cells_of(page: str) -> list[dict[str, str]]:
    """The rows of the page's first table."""
    page = page.split("<!-- wardmote: end -->")[0]
    lines = [
        [cell.strip() for cell in line.strip("|\n").split("|")]
        for line in page.splitlines()
        if line.startswith("| ")
    ]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]


def test_page_says_what_is_measured(root: Path) -> None:
    """The quickest of ours is measured anew on every CPU; the page has every library, on every CPU,
    and ours first."""
    table = cells_of((root / PAGE).read_text())
    for row in library_rows([TAB], CPU_NAMES, lambda _: None, Runner(Local(2))):
        printed = next(
            cells for cells in table if (cells["cpu"], cells["variant"]) == (row.cpu, row.variant)
        )
        for column in FIGURES:
            assert float(printed[column.name]) == pytest.approx(
                float(column.cell(row)), rel=TOLERANCE
            ), column.name
        assert (
            printed["depends on the key"] == view.LEAKS[row.no_secret_branch, row.no_secret_address]
        )
    assert {(cells["cpu"], cells["library"].split()[0], cells["variant"]) for cells in table} == {
        (cpu, library.library, variant.name)
        for library in LIBRARIES
        for variant in library.variants
        for cpu in variant.cpus
    }
    for cpu in CPU_NAMES:
        here = [cells for cells in table if cells["cpu"] == cpu]
        assert here[0]["library"].startswith(OURS)
        assert min(here, key=lambda cells: int(cells["block cycles"])) is here[0]


def test_wrong_answer_is_no_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A library that computes something else than OpenSSL is not measured."""
    inputs, outputs = measure.known_answer("seed")
    monkeypatch.setattr(
        measure, "known_answer", lambda _: (inputs, outputs | {"tag": "hex:00000000"})
    )
    with pytest.raises(
        WrongAnswerError,
        match=r"wardmote tab on msp430: tag is hex:[0-9a-f]{8} and not hex:00000000",
    ):
        library_rows([TAB], ["msp430"], lambda _: None, Runner(store=Store(tmp_path)))


def test_adapter_must_call_what_is_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A part that the profile does not meet is an error and no zero."""
    monkeypatch.setattr(measure, "PARTS", ("library_key", "library_block", "library_open"))
    with pytest.raises(WrongAnswerError, match="work on avr never calls library_open"):
        library_rows(
            [dataclasses.replace(TAB, variants=(Variant("tab", "-DVARIANT=tab"),))],
            ["avr"],
            lambda _: None,
            Runner(store=Store(tmp_path)),
        )


def row(library: str, cpu: str, block: int, frame: int) -> LibraryRow:
    """A row with these cycles."""
    ratios = (block / 100, frame / 1000)
    return LibraryRow(
        cpu, library, "1", "a", 1, block, frame, *ratios, 1, 1, 1, True, False, "cc", "-O2", "here"
    )


def test_answer_says_who_is_first() -> None:
    """One quicker block of another library is enough not to be first."""
    ours = row(OURS, "avr", 100, 1000)
    rows = [ours, row("other", "avr", 150, 1100), row("third", "avr", 120, 2000)]
    assert first(rows, "avr")
    assert view.answer(rows) == (
        "avr: ours is first; next in a block third a with 1.20 times our cycles, in a frame "
        "other a with 1.10 times."
    )
    rows.append(row("quick", "avr", 99, 5000))
    assert not first(rows, "avr")
    assert "NOT first" in view.answer(rows)


def test_only_what_is_pinned_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another hash, and a missing package manager, leave nothing behind."""
    monkeypatch.setattr(sources, "KEPT", tmp_path / "libraries")
    other = dataclasses.replace(MBEDTLS, sha256="0" * 64)

    def fetched(source: Source, folder: Path) -> Path:
        got = folder / "got"
        got.mkdir()
        sources._check(source, MBEDTLS.sha256)
        return got

    monkeypatch.setattr(sources, "_crate", fetched)
    with pytest.raises(
        UsageError, match=f"sha256 000000000000: what was fetched has sha256 {MBEDTLS.sha256}"
    ):
        sources.fetch(other, lambda _: None)
    assert list((tmp_path / "libraries").iterdir()) == []
    assert sources.fetch(MBEDTLS, lambda _: None) == MBEDTLS.folder
    assert sources.fetch(MBEDTLS, pytest.fail) == MBEDTLS.folder
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="is fetched by apt-get, which is not here"):
        sources.fetch(sources.BEARSSL, lambda _: None)


def test_only_named_files_of_a_crate_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of a folder in a crate, those that its source names."""
    monkeypatch.setattr(sources, "KEPT", tmp_path / "libraries")
    source = dataclasses.replace(MBEDTLS, inside="data", only=frozenset({"one", "three"}))

    def vendored(words: list[str], folder: Path, _source: Source) -> None:
        assert words[:2] == ["cargo", "vendor"]
        data = folder / "vendor" / source.package / "data"
        data.mkdir(parents=True)
        for name in ("one", "two", "three"):
            (data / name).write_text(name)
        (data.parent / ".cargo-checksum.json").write_text(f'{{"package": "{source.sha256}"}}')

    monkeypatch.setattr(sources, "_run", vendored)
    assert sorted(path.name for path in sources.fetch(source, lambda _: None).iterdir()) == [
        "one",
        "three",
    ]


def test_archive_stays_in_its_folder(tmp_path: Path) -> None:
    """The outermost folder goes; links, and names that lead out, are not unpacked."""
    archive = tmp_path / "library.orig.tar.xz"
    with tarfile.open(archive, "w:xz") as out:
        for name in (
            "library-1/src/aes.c",
            "library-1/../../escaped.c",
            "library-1/src/../../escaped.c",
        ):
            member = tarfile.TarInfo(name)
            member.size = 4
            out.addfile(member, io.BytesIO(b"int;"))
        link = tarfile.TarInfo("library-1/link.c")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        out.addfile(link)
    sources._unpack(archive, tmp_path / "unpacked")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file() or path.is_symlink()] == [
        archive.name,
        "aes.c",
    ]
    assert (tmp_path / "unpacked" / "src" / "aes.c").read_bytes() == b"int;"


def test_page_is_written_between_its_marks(tmp_path: Path) -> None:
    """The text around the marks stays. A document without one of the marks is refused and stays
    unchanged."""
    page, end = tmp_path / "page.md", "<!-- wardmote: end -->"
    page.write_text(
        f"before\n<!-- wardmote: libraries -->\nold\n{end}\nafter\n<!-- wardmote: more -->\n{end}\n"
    )
    bench_libraries.write_page(page, {"libraries": r"new \1", "more": "other\n"})
    written = (
        f"before\n<!-- wardmote: libraries -->\nnew \\1{end}\nafter\n<!-- wardmote: "
        "more "
        f"-->\nother\n{end}\n"
    )
    assert page.read_text() == written
    with pytest.raises(
        UsageError, match=re.escape(f"{page}: no marks `<!-- wardmote: others -->`")
    ):
        bench_libraries.write_page(page, {"libraries": "newer", "others": "new"})
    assert page.read_text() == written
