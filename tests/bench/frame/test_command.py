# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame` as a command: help, pipes that close, outputs that cannot be written,
start-up."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.frame.captures import pcap, tap
from tests.bench.frame.command import refused, run
from tests.bench.frame.network import KEY, data_frame, in_clear, on_air
from wardmote import cli
from wardmote.errors import CLOSED_PIPE

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


@pytest.mark.parametrize("words", [("unsecure", "--key", KEY), ("show",)])
def test_a_reader_that_leaves_is_no_error(words: tuple[str, ...], tmp_path: Path) -> None:
    """`| head` ends the command without a word, with the code of a closed pipe."""
    (tmp_path / "c.pcap").write_bytes(CAPTURE)
    command = [
        sys.executable,
        "-m",
        "wardmote",
        "frame",
        words[0],
        str(tmp_path / "c.pcap"),
        *words[1:],
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == CLOSED_PIPE


def test_an_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """A folder in the place of the file, or of a file in the place of a folder, is named."""
    (tmp_path / "file").write_bytes(b"")
    hexed = in_clear(data_frame()).hex()
    for path in (tmp_path, tmp_path / "file/out.pcap"):
        assert str(path) in refused("unsecure", hexed, "--key", KEY, "-o", path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    """What is no file is written to, not replaced."""
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
    assert done.lines == ["status,value,frames", "SUCCESS,0x00,3000"]
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
    """What makes the other commands slow to start is not imported for frames."""
    code = (
        "import sys, wardmote.cli, wardmote.commands.frame, "
        "wardmote.views.frame; "
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"typer", "rich", "numpy", "pycparser", "dataclasses", "pathlib"} & set(
        done.stdout.split()
    )
