# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame` as a command: help, pipes that close, outputs that cannot be written,
start-up."""

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bench.frame.captures import pcap, tap
from tests.bench.frame.command import run
from tests.bench.frame.network import KEY, data_frame, in_clear, on_air
from wardmote import cli
from wardmote.errors import CLOSED_PIPE, OUTPUT

CAPTURE = pcap([tap(on_air(data_frame(bytes(90), counter=i))) for i in range(3000)])


def test_help_lists_commands_and_options() -> None:
    """`wardmote --help` knows frame, and each of its commands has help of its own."""
    everything = subprocess.run(
        [sys.executable, "-m", "wardmote", "--help"], capture_output=True, text=True, check=True
    )
    assert "frame" in everything.stdout
    for words, says in (
        ((), "unsecure"),
        (("unsecure",), "--keep-refused"),
        (("secure",), "--key-id-mode"),
        (("show",), "--limit"),
    ):
        done = run(*words, "--help")
        assert done.code == 0
        assert says in done.out.decode()


def test_unknown_commands_name_frame(capsys: pytest.CaptureFixture[str]) -> None:
    """A command that is not there is refused with those that are."""
    assert cli.main(["fram"]) == 2
    possible = capsys.readouterr().err.partition("Possible are ")[2].rstrip(".\n").split(", ")
    assert {"slot", "measure", "frame"} <= set(possible)


FORMS = ("table", "json", "csv", "markdown")
EVERY_OUTPUT = [
    *(("show", "-", "--format", form) for form in FORMS),
    *(("unsecure", "-", "--key", KEY, "-o", "/dev/null", "--format", form) for form in FORMS),
    *(
        ("unsecure", "-", "--key", KEY, "-o", "/dev/null", "--each", "--format", form)
        for form in FORMS
    ),
    ("unsecure", "-", "--key", KEY),
    ("secure", "-", "--key", KEY, "--asn", "1"),
    ("--help",),
    ("unsecure", "--help"),
]
"""Commands that write to stdout, in every form."""


def ends_with(words: Sequence[str], stdout: int | None, given: bytes) -> tuple[int, str]:
    """Exit code and stderr of a command with this stdout; with None stdout is closed."""
    command = [sys.executable, "-m", "wardmote", "frame", *words]
    if stdout is None:
        command = ["sh", "-c", '"$@" >&-', "sh", *command]
    done = subprocess.run(
        command, input=given, stdout=stdout, stderr=subprocess.PIPE, check=False, text=False
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("words", EVERY_OUTPUT, ids=" ".join)
def test_a_reader_that_leaves_is_no_error(words: tuple[str, ...]) -> None:
    """`| head` ends the command without a word, with the code of a closed pipe."""
    read, write = os.pipe()
    os.close(read)
    try:
        code, err = ends_with(words, write, CAPTURE)
    finally:
        os.close(write)
    assert code == CLOSED_PIPE
    # The answer in words may be written before the reader is missed, but no error.
    assert "wardmote:" not in err
    assert "Traceback" not in err


@pytest.mark.parametrize("words", EVERY_OUTPUT, ids=" ".join)
def test_a_full_device_and_no_stdout_are_one_line(words: tuple[str, ...]) -> None:
    """A device without room, and a closed stdout, end the command with one line and the code of an
    output that cannot be written."""
    with Path("/dev/full").open("wb") as full:
        for stdout in (full.fileno(), None):
            code, err = ends_with(words, stdout, CAPTURE)
            assert code == OUTPUT
            assert "Traceback" not in err
            assert len([line for line in err.splitlines() if line.startswith("wardmote: ")]) == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_pipe_that_is_cut_in_the_middle(unbuffered: str, tmp_path: Path) -> None:
    """A reader that takes a part of a large output and leaves is no error either, and never looks
    like success."""
    (tmp_path / "c.pcap").write_bytes(CAPTURE)
    for words in (("unsecure", "--key", KEY), ("show",), ("show", "--format", "json")):
        command = [sys.executable, "-m", "wardmote", "frame", *words, str(tmp_path / "c.pcap")]
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(10)
            process.stdout.close()
            assert b"wardmote:" not in process.stderr.read()
        assert process.returncode == CLOSED_PIPE


def test_an_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """A folder in the place of the file, or of a file in the place of a folder, is named."""
    (tmp_path / "file").write_bytes(b"")
    hexed = in_clear(data_frame()).hex()
    for path in (tmp_path, tmp_path / "file/out.pcap", Path("/dev/full")):
        done = run("unsecure", hexed, "--key", KEY, "-o", path)
        assert (done.code, done.out) == (OUTPUT, b"")
        [line] = done.err.splitlines()
        assert str(path) in line
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    """A path that is no regular file is written to, not replaced."""
    done = run("unsecure", "-", "--key", KEY, "-o", "/dev/null", given=CAPTURE)
    assert done.code == 0
    assert "3000 of 3000 frames" in done.out.decode()
    assert Path("/dev/null").is_char_device()


def test_summary_goes_beside_the_data(tmp_path: Path) -> None:
    """With -o the rows are on stdout, in the format asked for; without, stdout holds the frames
    alone."""
    done = run(
        "unsecure", "-", "--key", KEY, "-o", tmp_path / "o.pcap", "--format", "csv", given=CAPTURE
    )
    assert done.lines == ["status,value,frames,schema", "SUCCESS,0x00,3000,StatusRow 1"]
    done = run("unsecure", "-", "--key", KEY, "--format", "markdown", given=CAPTURE)
    assert done.out == (tmp_path / "o.pcap").read_bytes()
    assert "| SUCCESS | 0x00 | 3000 |" in done.err


def test_a_capture_does_not_go_to_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Octets of a capture are kept from a terminal."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CAPTURE)))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert cli.main(["frame", "unsecure", "--key", KEY]) == 2
    assert "give -o FILE, or a pipe" in capsys.readouterr().err


def test_start_up_imports_little() -> None:
    """`frame` does not import the modules that make the other commands slow to start."""
    code = (
        "import sys, wardmote.cli, wardmote.commands.frame, "
        "wardmote.views.frame; "
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"typer", "rich", "numpy", "pycparser", "dataclasses", "pathlib"} & set(
        done.stdout.split()
    )
