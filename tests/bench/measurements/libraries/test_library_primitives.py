# SPDX-License-Identifier: BSD-3-Clause
"""The other primitives beside other libraries: what is measured, what the page says, what is
refused."""

import dataclasses
import hashlib
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError, WardmoteError
from wardmote.measurements.function.build import BuildError
from wardmote.measurements.libraries import campaign, sources
from wardmote.measurements.libraries.attempts import Attempt, WrongAnswerError
from wardmote.measurements.libraries.builds import BUILDS, OURS_BUILDS, SOMETHING_ELSE, Build
from wardmote.measurements.libraries.campaign import Results, primitive_rows
from wardmote.measurements.libraries.kinds import PRIMITIVES, RC5, SHA256
from wardmote.measurements.libraries.rows import OURS, LibraryPrimitiveRow
from wardmote.measurements.libraries.sources import KECCAK, PYTRIVIUM, Source
from wardmote.study.libraries import all_first
from wardmote.views import libraries as view

PAGE = "docs/how-do-we-compare-with-other-libraries.md"
MARK = "<!-- wardmote: primitives of libraries -->"
TOLERANCE = 0.05
"""Of a figure in the page: a compiler moves it a little, the page need not follow."""
FAST = tuple(dataclasses.replace(build, variants=build.variants[:1]) for build in OURS_BUILDS)
OTHER = Build(SHA256, "other", "primitives/ours/hash.c")


def tables_of(page: str) -> dict[tuple[str, str, str, str], dict[str, str]]:
    """The page's rows by CPU, primitive, library without its version, and variant."""
    found: dict[tuple[str, str, str, str], dict[str, str]] = {}
    cpu = ""
    for line in page.split(MARK)[1].split("<!-- wardmote: end -->")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        cpu = line.removeprefix("### ") if line.startswith("### ") else cpu
        if line.startswith("| primitive"):
            names = cells
        elif line.startswith("| ") and "---" not in line:
            row = dict(zip(names, cells, strict=True))
            found[cpu, row["primitive"], row["library"].rsplit(" ", 1)[0], row["variant"]] = row
    return found


@pytest.mark.turns(3)
def test_page_says_what_ours_takes(root: Path) -> None:
    """The fast form of each of ours is measured anew on every CPU, and the page has every library's
    every variant."""
    tables = tables_of((root / PAGE).read_text())
    assert set(tables) == {
        (cpu, build.primitive.title, build.library, variant.name)
        for build in BUILDS
        for variant in build.variants
        for cpu in variant.cpus
    }
    rows = primitive_rows(CPU_NAMES, lambda _: None, Runner(Local(2)), FAST)
    assert len(rows) == len(PRIMITIVES) * len(CPU_NAMES)
    for row in rows:
        printed = tables[row.cpu, row.primitive, row.library, row.variant]
        for column in view.PRIMITIVE_COLUMNS:
            if not column.text and column.name != "ratio":
                want = column.cell(row)
                assert (printed[column.name] == "") == (want == ""), (row, column.name)
                if want:
                    assert float(printed[column.name]) == pytest.approx(
                        float(want), rel=TOLERANCE
                    ), (row, column.name)


def test_page_says_where_ours_is_not_first(root: Path) -> None:
    """The answer names exactly the primitives in which the page's own tables have another before
    ours."""
    page = (root / PAGE).read_text()
    for cpu in CPU_NAMES:
        answer = next(
            line for line in page.split(MARK)[1].splitlines() if line.startswith(f"* {cpu}: ")
        )
        lost = set()
        for key, row in tables_of(page).items():
            for name in ("block cycles", "64 octets cycles", "128 octets cycles"):
                if key[0] == cpu and key[2] != OURS and row[name]:
                    mine = [r for k, r in tables_of(page).items() if k[:3] == (cpu, key[1], OURS)]
                    lost |= {key[1]} if int(row[name]) < min(int(r[name]) for r in mine) else set()
        behind = answer.partition("**NOT first** in ")[2].partition("; ")[0]
        assert {
            primitive.title for primitive in PRIMITIVES if f"{primitive.title}, " in behind
        } == lost
        assert not [title for title in lost if f"{title} (" in answer.partition("**NOT")[0]]


def attempt(build: Build, cpu: str = "avr") -> Attempt:
    """Its first variant on a CPU."""
    return Attempt(build, build.variants[0], cpu, None)


def figures(*cycles: int, digest: str) -> dict[str, object]:
    """Figures of a hash with these cycles and this result."""
    results: Results = {"64": {"digest": digest}}
    measured = {"cycles": list(cycles), "flash_octets": 10, "stack_octets": 1, "compiler": "cc"}
    return {**measured, "results": results}


def row(
    library: str, cycles: tuple[int, ...], flash: int | None = 10, why: str = "", title: str = "X"
) -> LibraryPrimitiveRow:
    """A row of a message on the AVR with these cycles."""
    of = ("64 octets", "128 octets")
    return LibraryPrimitiveRow(
        "avr", title, library, "1", "a", of, cycles, None, flash, 1, why, "cc", "here"
    )


def test_wrong_answer_is_no_row() -> None:
    """What computes something else is an error; where that is known, it is a row without figures,
    and an error once it computes the right thing."""
    right, wrong = figures(1, 2, digest="01"), figures(1, 2, digest="02")
    known = dataclasses.replace(OTHER, fails={"avr": SOMETHING_ELSE})
    first = (attempt(FAST[0]), right)
    with pytest.raises(
        WrongAnswerError, match=r"SHA-256 of other -O2 on avr: digest is 02 and not 01"
    ):
        campaign._checked([first, (attempt(OTHER), wrong)])
    ours, other = campaign._checked([first, (attempt(OTHER), right)])
    assert (ours.library, ours.cycles, ours.flash_octets) == (OURS, (1, 2), 10)
    assert (other.library, other.cycles, other.why) == ("other", (1, 2), "")
    _, gone = campaign._checked([first, (attempt(known), wrong)])
    assert (gone.cycles, gone.flash_octets, gone.why) == ((), None, SOMETHING_ELSE)
    with pytest.raises(WrongAnswerError, match="computes the right thing after all"):
        campaign._checked([first, (attempt(known), right)])


def test_ours_must_agree_on_every_cpu() -> None:
    """One of ours that differs from the first one is no less an error."""
    found = [
        (attempt(FAST[0], cpu), figures(1, 2, digest=digest))
        for cpu, digest in (("msp430", "01"), ("avr", "03"))
    ]
    with pytest.raises(WrongAnswerError, match="of wardmote fast on avr: digest is 03 and not 01"):
        campaign._checked(found)


def test_failure_to_build_is_a_row_only_if_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is the compiler's, without folders; another failure, and one that went away, are
    errors."""

    def fails(*_: object) -> Path:
        raise BuildError(
            "avr: hash.c failed: /some/where/hash.c:1:2: error: no 64-bit word in <other/x.h>"
        )

    monkeypatch.setattr(Attempt, "executable", fails)
    known = dataclasses.replace(OTHER, fails={"avr": "no 64-bit word"})
    why = campaign.built_or_why(attempt(known))
    assert why == "hash.c:1:2: error: no 64-bit word in x.h>"
    [_, row_] = campaign._checked(
        [(attempt(FAST[0]), figures(1, 2, digest="01")), (attempt(known), why)]
    )
    assert (row_.why, row_.cycles) == (why, ())
    for build in (OTHER, dataclasses.replace(OTHER, fails={"avr": "something else"})):
        with pytest.raises(
            WardmoteError, match=r"SHA-256 of other -O2 on avr: hash.c:1:2: error: no 64-bit"
        ):
            campaign.built_or_why(attempt(build))
    monkeypatch.setattr(Attempt, "executable", lambda *_: Path("program.elf"))
    with pytest.raises(
        WardmoteError, match="can be had after all, though it is said to fail: no 64-bit word"
    ):
        campaign.built_or_why(attempt(known))


def test_what_an_executable_is_made_from_names_it() -> None:
    """Other options, another CPU or another adapter is another executable; the same is there
    already."""
    build = FAST[0]
    path = attempt(build).executable()
    made = path.stat().st_mtime_ns
    assert attempt(build).executable().stat().st_mtime_ns == made
    slow = dataclasses.replace(build, flags="-DANYTHING")
    others = (
        attempt(slow).executable(),
        attempt(build, "msp430").executable(),
        attempt(FAST[1]).executable(),
    )
    assert len({path, *others}) == 4


def test_ratio_is_to_the_quickest_of_ours() -> None:
    """Of the last figure; where nothing can be had there is none."""
    rows = campaign._compared(
        [row(OURS, (50, 200)), row(OURS, (60, 100)), row("a", (10, 150)), row("b", ())]
    )
    assert [one.ratio for one in rows] == [2.0, 1.0, 1.5, None]


def test_block_is_told_from_its_key() -> None:
    """A block cipher has a figure for each, and key expansion of RC5 takes several times what a
    block does."""
    (found,) = primitive_rows(
        ["msp430"],
        lambda _: None,
        Runner(),
        [build for build in FAST if build.primitive is RC5],
        [RC5],
    )
    key, block = found.cycles
    assert (found.of, found.ratio) == (("key", "block"), 1.0)
    assert 2 * block < key


def test_answer_says_who_is_first() -> None:
    """One quicker figure of another library is enough not to be first; flash is judged by
    itself."""
    ours = row(OURS, (100, 200), 50)
    rows = [ours, row("other", (150, 220), 60), row("gone", (), None, "no room")]
    assert all_first(rows)
    assert (
        view.primitives_answer(rows)
        == "avr: ours is first in X (1.10); least flash is ours in all."
    )
    rows += [row("quick", (99, 500), 40), row(OURS, (1, 1), 1, title="Y")]
    assert not all_first(rows)
    assert view.primitives_answer(rows) == (
        "avr: ours is first in nothing; **NOT first** in X, 64 octets (quick a, 0.99); least "
        "flash is another's in X "
        "(quick a: 40, ours: 50); nothing to compare with in Y."
    )
    assert "| X | gone 1 | a |  |  |  |  |  |  | 1 | no room |" in view.primitives_block(rows)


def archive_of(source: Source, folder: Path) -> Path:
    """A source package whose setup.py would leave a file behind, were it run."""
    top = folder / f"{source.package}-{source.package_version}"
    (top / source.inside).mkdir(parents=True)
    (top / "setup.py").write_text("open('/proc/self/cwd/was-run', 'w')\n")
    (top / "PKG-INFO").write_text(
        f"Metadata-Version: 2.1\nName: {source.package}\nVersion: {source.package_version}\n"
    )
    (top / source.inside / "cipher.c").write_text("int x;\n")
    archive = folder / f"{top.name}.tar.gz"
    with tarfile.open(archive, "w:gz") as out:
        out.add(top, top.name)
    return archive


def test_pip_runs_nothing_of_a_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Metadata comes from the archive by a stand-in for setuptools; what is kept is the folder that
    is named."""
    monkeypatch.setattr(sources, "KEPT", tmp_path / "libraries")
    archive = archive_of(PYTRIVIUM, tmp_path)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    pinned = dataclasses.replace(PYTRIVIUM, sha256=digest)
    top = archive.with_name(archive.name.removesuffix(".tar.gz"))

    def pip(words: list[str], folder: Path, _: Source, more: Mapping[str, str]) -> None:
        assert words[1:4] == ["-m", "pip", "download"]
        assert {"--require-hashes", "--no-deps", "--no-build-isolation"} <= set(words)
        assert f"sha256:{digest}" in (folder / "requirements.txt").read_text()
        asked = (
            "from setuptools.build_meta import __legacy__ as b; "
            "print(b.prepare_metadata_for_build_wheel('..'))"
        )
        done = subprocess.run(
            [sys.executable, "-c", asked],
            cwd=top,
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == f"{top.name}.dist-info\n"
        assert "Name: pytrivium" in (tmp_path / done.stdout.strip() / "METADATA").read_text()
        (folder / archive.name).write_bytes(archive.read_bytes())

    monkeypatch.setattr(sources, "_run", pip)
    assert [path.name for path in sources.fetch(pinned, lambda _: None).iterdir()] == ["cipher.c"]
    assert not list(tmp_path.rglob("was-run"))


def test_archive_of_npm_must_be_the_pinned_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another archive, or none, is refused, and nothing is kept."""
    monkeypatch.setattr(sources, "KEPT", tmp_path / "libraries")
    monkeypatch.setattr(
        sources, "_run", lambda _words, folder, _source: (folder / "a.tgz").write_bytes(b"other")
    )
    with pytest.raises(
        UsageError,
        match=r"npm keccak 3.0.4, sha256 4d7676e56767: what was fetched has sha256 d9298a10",
    ):
        sources.fetch(KECCAK, lambda _: None)
    monkeypatch.setattr(sources, "_run", lambda *_: None)
    with pytest.raises(
        UsageError, match=r"npm keccak 3.0.4, sha256 4d7676e56767: nothing was fetched"
    ):
        sources.fetch(KECCAK, lambda _: None)
    assert list((tmp_path / "libraries").iterdir()) == []
