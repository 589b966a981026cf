# SPDX-License-Identifier: BSD-3-Clause
"""The Rust crate over a copy of the stack: its tests pass, and its example secures a frame that the
crate `ieee802154` built."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.model.ieee802154_model import ccm_star
from tests.stack.anywhere.copies import FRAMES, keep

KEY, SOURCE, COUNTER, LEVEL = b"\xc0" * 16, bytes((0, 0, 0, 0, 0, 0, 0, 2)), 5, 5
PAYLOAD = b"21.5 degrees"


def test_crate(root: Path, own: Path, tmp_path: Path) -> None:
    """The secured frame is the model's; what comes out again is the payload. Tests of the crate
    hold vectors and refusals. The copy has the sources of frames, and what the crate takes more;
    `make check` builds the crate with all sources."""
    keep(own, *FRAMES, "cipher/aes128_fix*.c", "link/security_ash.c")
    crate = Path(shutil.copytree(root / "bindings/rust", tmp_path / "crate"))
    environment = {
        **os.environ,
        "WARDMOTE_STACK": str(own),
        "CARGO_TARGET_DIR": str(root / "build/bindings"),
    }

    def cargo(*words: str) -> str:
        done = subprocess.run(
            ["cargo", *words],
            cwd=crate,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    secured, payload = cargo("run", "--quiet", "--locked", "--example", "secure_frame").splitlines()
    frame = bytes.fromhex(secured)
    header = frame[: -len(PAYLOAD) - 4]
    nonce = SOURCE + COUNTER.to_bytes(4, "big") + bytes((LEVEL,))
    assert header.endswith(bytes((LEVEL | 1 << 3, COUNTER, 0, 0, 0, 1)))
    assert frame == header + b"".join(ccm_star(KEY, nonce, header, PAYLOAD, 4))
    assert payload == PAYLOAD.decode()
    assert "3 passed" in cargo("test", "--quiet", "--locked")
