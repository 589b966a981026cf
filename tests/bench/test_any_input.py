# SPDX-License-Identifier: BSD-3-Clause
"""Whatever the options and files are: no traceback, no half-written file, a documented exit code."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.test_screens import ROWS
from wardmote import cli
from wardmote.errors import EXIT_CODES, INTERNAL

NEVER = (
    "nan",
    "inf",
    "-1",
    "-inf",
    "1e999",
    "",
    "softwar",
    "٣",
    "9" * 400,
    "x" * 5000,
    "0x1",
    "a\nb",
)
"""What no option below can be."""
MEASURING = {
    "slot": ("board strategy level ash key-id-mode counter frame-octets clock exchanges seed engine "
             "jobs format columns max-slot"),
    "sweep": ("board strategy level key-id-mode counter frame-octets exchanges seed engine jobs "
              "format columns"),
    "trace": "board strategy level ash clock frame-octets seed",
    "footprint": "board strategy seed format columns",
    "compare": "seed format columns",
    "measure": "cpu board runs seed cycle-limit tolerance format columns",
    "primitives": "cpu only size board runs seed engine jobs format columns",
    "system": ("board clock only tick frames to read frame-octets seconds seed jobs format columns "
               "max-overhead"),
}  # fmt: skip
EMPTY_IS_NOTHING = ("columns", "size")
"""Options that an empty text leaves alone."""
FILES = {
    "absent": None,
    "empty": b"",
    "text": b"no rows at all\n",
    "binary": bytes(range(256)),
    "list": b"[1, null, {}]",
    "deep": b"[" * 5000,
    "numbers": b"[1e999, NaN]",
}
NUMBERS = ("0", "1", "1.5", "101", "65535", *NEVER)


def run(words: list[str]) -> tuple[int, str, str]:
    """A command in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = cli.main(words)
        except SystemExit as done:
            code = int(done.code or 0)
    out.flush()
    return code, out.buffer.getvalue().decode("utf-8", "replace"), err.getvalue()


def is_documented(words: list[str], code: int, err: str) -> None:
    """The exit code is in the table, and it is no fault of our own."""
    assert code in EXIT_CODES, words
    assert code != INTERNAL, (words, err)
    assert "Traceback" not in err, words


@st.composite
def refusals(draw: st.DrawFn) -> list[str]:
    """A verb that measures, with one value that cannot be."""
    verb = draw(st.sampled_from(sorted(MEASURING)))
    option = draw(st.sampled_from(MEASURING[verb].split()))
    value = draw(
        st.sampled_from(NEVER if option not in EMPTY_IS_NOTHING else [v for v in NEVER if v])
    )
    return [verb, f"--{option}={value}"]


@settings(max_examples=120)
@given(refusals())
def test_a_value_that_cannot_be_is_refused_before_work(words: list[str]) -> None:
    """One line, a code of its own, nothing on stdout, and nothing is measured."""
    with TemporaryDirectory() as folder:
        source = Path(folder, "f.c")
        source.write_text("void f(void) {}\n", encoding="utf-8")
        if words[0] == "measure":
            words = [*words, str(source), "--call", "void f(void)"]
        if words[0] == "compare":
            (Path(folder) / "rows.json").write_text(json.dumps(ROWS["slot"]), encoding="utf-8")
            words = [*words, folder]
        code, out, err = run(words)
        is_documented(words, code, err)
        assert (code, out) == (2, ""), (words, code, out, err)
        assert len(err.splitlines()) == 1, (words, err)


PATHS = {
    "slot": "image pcap report",
    "energy": "figure",
    "measure": "include baseline profile",
    "primitives": "document report",
    "system": "document",
    "frame show": "keys",
    "frame unsecure": "keys output",
}
"""Options that take a path, by command."""
GIVEN: dict[str, tuple[str, ...]] = {
    "slot": ("--level=5", "--strategy=hardware", "--exchanges=0"),
    "measure": ("--call", "int f(void)", "{folder}/f.c", "--cpu=z80"),
    "primitives": ("--cpu=z80",),
    "system": ("--seconds=0",),
    "frame show": ("00",),
    "frame unsecure": ("--key=1:" + "00" * 16, "0100"),
}
"""What else a command is given. Those that measure get a value that they refuse before they do."""
KINDS = ("absent", "folder", "unreadable", "in a file", "in no folder", "long", *FILES)


def path_of(kind: str, folder: Path) -> str:
    """A path of a kind; what is in `FILES` has its contents."""
    place = folder / "given"
    if kind == "folder":
        place.mkdir()
    elif kind in ("unreadable", "in a file"):
        place.write_bytes(b"text")
        place.chmod(0o000 if kind == "unreadable" else 0o600)
    elif (octets := FILES.get(kind)) is not None:
        place.write_bytes(octets)
    others = {
        "in a file": f"{place}/below",
        "in no folder": str(folder / "none" / "given"),
        "long": "x" * 5000,
    }
    return others.get(kind, str(place))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("verb", "option"), [(verb, one) for verb, names in PATHS.items() for one in names.split()]
)
def test_any_path(verb: str, option: str, kind: str, tmp_path: Path) -> None:
    """Files that are absent, empty, binary, of another kind or not to be read, and folders: no
    traceback, a documented exit code, one line where it is refused, and no file appears but the one
    that was asked for."""
    (tmp_path / "f.c").write_text("int f(void) { return 1; }\n", encoding="utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(ROWS["slot"]), encoding="utf-8")
    given = [word.format(folder=tmp_path) for word in GIVEN.get(verb, (str(tmp_path),))]
    path = path_of(kind, tmp_path)
    code, out, err = run([*verb.split(), f"--{option}={path}", *given])
    is_documented([verb, option, kind], code, err)
    if code == 2:
        assert (out, len(err.splitlines())) == ("", 1), err
    asked = {"f.c", "rows.json", "given"} | ({"none"} if code in (0, 1) else set())
    assert {one.name for one in tmp_path.iterdir()} <= asked
    if (tmp_path / "given").is_file() and FILES.get(kind) is not None and code == 2:
        assert (tmp_path / "given").read_bytes() == FILES[kind]


@settings(max_examples=60)
@given(
    st.sampled_from(("report", "energy", "throughput")),
    st.sampled_from(("good", "folder", *FILES)),
    st.dictionaries(
        st.sampled_from(("n-i", "n-ts", "slot", "upper-octets", "level")),
        st.sampled_from(("10ms", "1us", *NUMBERS)),
        max_size=3,
    ),
    st.sampled_from(("table", "json", "csv", "markdown", "xml")),
)
def test_any_report_and_schedule(verb: str, kind: str, schedule: dict[str, str], form: str) -> None:
    """Reports that are none, and schedules that cannot be, end in one line; figures are whole."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows = folder / "rows.json"
        if kind == "good":
            rows.write_text(json.dumps(ROWS["slot"]), encoding="utf-8")
        elif kind == "folder":
            rows.mkdir()
        elif (octets := FILES[kind]) is not None:
            rows.write_bytes(octets)
        words = [verb, name, "--format", form]
        words += [f"--{k}={v}" for k, v in schedule.items()] if verb == "throughput" else []
        words += ["--figure", str(folder / "out.svg")] if verb == "energy" else []
        code, out, err = run(words)
        is_documented(words, code, err)
        assert (kind == "good" and form != "xml") or code == 2, (words, code, err)
        left = {path.name for path in folder.iterdir()} - {"rows.json", "out.svg"}
        assert left == set(), words
        if (folder / "out.svg").exists():
            assert (folder / "out.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")
        if code == 0 and form == "json":
            json.loads(out)


@settings(max_examples=60)
@given(
    st.sampled_from(("show", "secure", "unsecure")),
    st.one_of(st.binary(max_size=60).map(bytes.hex), st.sampled_from(("/", "/dev/null", *NEVER))),
    st.dictionaries(
        st.sampled_from(("asn", "limit", "format", "level", "key", "counter", "keys", "columns")),
        st.sampled_from(("1:" + "00" * 16, "table", "json", *NUMBERS)),
        max_size=3,
    ),
)
def test_any_frame(act: str, text: str, options: dict[str, str]) -> None:
    """Frames and options of every kind."""
    words = ["frame", act, *(f"--{k}={v}" for k, v in options.items()), "--", text or "00"]
    code, _, err = run(words)
    is_documented(words, code, err)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A report."""
    (tmp_path / "rows.json").write_text(json.dumps(ROWS["slot"] * 40), encoding="utf-8")
    return str(tmp_path)


@pytest.mark.parametrize(
    ("redirection", "code"), [("> /dev/full", 4), (">&-", 4), ("| true", 141), ("2>&-", 0)]
)
@pytest.mark.parametrize("form", ["table", "json"])
def test_output_that_fails(folder: str, redirection: str, code: int, form: str) -> None:
    """A full device, a closed output and a reader that leaves have codes of their own."""
    command = (
        f'"$0" -m wardmote report "$1" --format {form} {redirection}; exit "${{PIPESTATUS[0]}}"'
    )
    done = subprocess.run(
        ["bash", "-c", command, sys.executable, folder],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_help_lists_the_exit_codes() -> None:
    """`wardmote --help` ends with every code."""
    _, out, _ = run(["-h"])
    flat = " ".join(out.split())
    assert all(f"{code} " in flat for code in EXIT_CODES)


def test_faults_of_our_own_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unforeseen error is one line, which asks for a report."""

    def broken(_: object) -> int:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("wardmote.commands.app.run", broken)
    code, _, err = run(["report"])
    assert code == INTERNAL
    assert err.startswith("wardmote: a fault of wardmote itself: ZeroDivisionError")
