# SPDX-License-Identifier: BSD-3-Clause
"""The host tests once more on the library built with AddressSanitizer and
UndefinedBehaviorSanitizer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack.conftest import HOST_LIBRARY

pytestmark = pytest.mark.turns(5)


@pytest.fixture
def sanitized(root: Path) -> dict[str, str]:
    """Environment in which Python can load the sanitized library and finds it in place of the plain
    one."""
    library = root / "build/stack/host/libwardmote-sanitized.so"
    if not library.is_file():
        pytest.fail(f"{library} is missing: run `make stack`")
    found = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
    )
    # The small forms lie in a library of their own, with the same names: no violation of the
    # one-definition rule.
    asan = "detect_leaks=0:verify_asan_link_order=0:detect_odr_violation=0"
    options = {"ASAN_OPTIONS": asan, "UBSAN_OPTIONS": "print_stacktrace=1"}
    # Python's own allocator would hide the ends of buffers from the sanitizer.
    more = {
        "LD_PRELOAD": found.stdout.strip(),
        "PYTHONMALLOC": "malloc",
        HOST_LIBRARY: str(library),
    }
    return (
        {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
        | options
        | more
    )


ROOMS = {
    "modes": ("tests/stack/mode",),
    "ciphers": ("tests/stack/cipher", "tests/stack/util"),
    "hashes": ("tests/stack/hash",),
    "security procedures": tuple(
        f"tests/stack/link/test_security_{part}.py" for part in ("incoming", "outgoing", "tsch")
    ),
    "packets": tuple(
        f"tests/stack/net/test_{part}.py"
        for part in ("ipv6", "ipv6_node", "ipsec_state", "ipsec_policy", "lowpan_fragments")
    ),
    "keys and commands of ZigBee": tuple(
        f"tests/stack/zigbee/test_zigbee_{part}.py" for part in ("keys", "command")
    ),
}
"""What is run in one process, the longest first."""


@pytest.mark.early
@pytest.mark.parametrize("rooms", ROOMS.values(), ids=ROOMS)
def test_sanitizers_find_nothing(
    root: Path, sanitized: dict[str, str], rooms: tuple[str, ...]
) -> None:
    """Every test of cipher, hash, mode, util and of the security procedures on the host passes
    without a complaint of the sanitizers."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        *rooms,
        "-k",
        "host",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-x",
    ]
    done = subprocess.run(
        command, cwd=root, env=sanitized, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert " passed" in done.stdout


def test_sanitizers_are_awake(sanitized: dict[str, str]) -> None:
    """One octet written past a block of the heap stops the program: the library is the sanitized
    one."""
    script = (
        "import ctypes, os\n"
        f"library = ctypes.CDLL(os.environ[{HOST_LIBRARY!r}])\n"
        "libc = ctypes.CDLL(None)\n"
        "libc.malloc.restype = ctypes.c_void_p\n"
        "library.wm_wipe(ctypes.c_void_p(libc.malloc(ctypes.c_size_t(24))), "
        "ctypes.c_uint16({length}))\n"
    )
    for length, clean in ((24, True), (25, False)):
        command = [sys.executable, "-c", script.replace("{length}", str(length))]
        done = subprocess.run(command, env=sanitized, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == clean, done.stderr
        assert ("heap-buffer-overflow" in done.stderr) != clean


def test_ends_of_buffers_are_watched(root: Path, sanitized: dict[str, str]) -> None:
    """Reading one octet past a buffer that a test passes stops the program, though another buffer
    lies behind it."""
    script = (
        "from tests.stack.conftest import target_named\n"
        "assert target_named('host').call('wm_ct_diff', bytes(13), bytearray(13), "
        "{length}).value == 0\n"
    )
    for length, clean in ((13, True), (14, False)):
        command = [sys.executable, "-c", script.replace("{length}", str(length))]
        done = subprocess.run(
            command, cwd=root, env=sanitized, capture_output=True, text=True, check=False
        )
        assert (done.returncode == 0) == clean, done.stderr
        assert ("use-after-poison" in done.stderr) != clean
