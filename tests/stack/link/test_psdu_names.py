# SPDX-License-Identifier: BSD-3-Clause
"""A program and a library that were built for PSDUs of other lengths do not link."""

import re
import subprocess
from pathlib import Path

import pytest

from wardmote.paths import ROOT

INCLUDE = ROOT / "stack/include"
LIBRARY = ROOT / "build/stack/host/libwardmote.so"
"""For PSDUs of 127 octets."""
PROGRAM = """#include <wardmote/ieee802154.h>
int main(void)
{
    const uint8_t frame[] = {0x41, 0x88, 1, 2, 3, 4, 5, 6, 7};
    wm_mhr mhr;
    wm_frame_map map;
    return wm_frame_parse(frame, sizeof frame, &mhr, &map);
}
"""
DIRECTIVE = re.compile(r"^\s*#(?:[^\n]*\\\n)*[^\n]*$", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INLINE = re.compile(r"^static inline.*?^}$", re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"^\w[\w *]*?\b(wm_\w+)\(", re.MULTILINE)


def _included(header: Path) -> set[Path]:
    """The headers of the stack that one includes, and those that they include."""
    names = re.findall(r"^#include <(wardmote/\S+)>", header.read_text(), re.MULTILINE)
    direct = {INCLUDE / name for name in names} - {header}
    return direct.union(*(_included(each) for each in direct if each.name != "psdu_names.h"))


def _functions(header: Path) -> set[str]:
    """What a header declares and does not define."""
    text = header.read_text()
    for pattern in (COMMENT, DIRECTIVE, INLINE):
        text = pattern.sub("", text)
    return set(FUNCTION.findall(text))


def test_every_function_has_its_name() -> None:
    """All functions of the headers that know how long a frame is, and no other."""
    frames = INCLUDE / "wardmote/ieee802154.h"
    headers = [each for each in INCLUDE.rglob("*.h") if each == frames or frames in _included(each)]
    assert len(headers) > 9
    declared = set().union(*(_functions(each) for each in headers))
    text = (INCLUDE / "wardmote/psdu_names.h").read_text()
    named = re.findall(r"^#define (wm_\w+) WM_PSDU_NAME\((\w+)\)$", text, re.MULTILINE)
    assert all(name == same for name, same in named)
    assert {name for name, _ in named} == declared
    assert len(named) == len(declared)


@pytest.mark.parametrize(
    ("widths", "missing"),
    [
        ((), ""),
        (("-DWM_PSDU_MAX=127", "-DWM_FCS_LEN=2"), ""),
        (("-DWM_PSDU_MAX=2047",), "wm_frame_parse_psdu2047_fcs4"),
        (("-DWM_PSDU_MAX=2047", "-DWM_FCS_LEN=2"), "wm_frame_parse_psdu2047_fcs2"),
        (("-DWM_PSDU_MAX=128",), "wm_frame_parse_psdu128_fcs4"),
        (("-DWM_FCS_LEN=4",), "wm_frame_parse_psdu127_fcs4"),
    ],
)
def test_other_lengths_do_not_link(tmp_path: Path, widths: tuple[str, ...], missing: str) -> None:
    """The linker names the function, and with it the lengths that the program has."""
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    words = ("gcc", "-std=c11", "-I", INCLUDE, *widths, source, LIBRARY, "-o", tmp_path / "program")
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is (missing == "")
    assert missing in done.stderr
