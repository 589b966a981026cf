# SPDX-License-Identifier: BSD-3-Clause
"""The arrow checker passes this repository and catches each kind of forbidden arrow in a small
one."""

from pathlib import Path

import pytest

from scripts import check_arrows as arrows
from scripts.faults import all_faults
from tests.scripts.trees import written

FORBIDDEN = {
    "hdl/rtl/aes128_fast.vhd": {
        "library unisim; use unisim.vcomponents.all;\n": "uses library unisim",
        "  dut : entity work.tb_aes128_core\n": "hdl/rtl has no tb_aes128_core.vhd",
    },
    "stack/src/cipher/aes128_tab.c": {
        "#include <wardmote/ccm.h>\n": "cipher may not depend on mode",
    },
    "stack/small/aes128_tab.c": {
        "#include <wardmote/ccm.h>\n": "cipher may not depend on mode",
    },
    "stack/src/util/wipe.c": {
        '#include "cipher/x.h"\n': "neither ours nor a freestanding header",
        '#include "tinysec_key.h"\n': "includes tinysec_key.h",
        "#include <string.h>\n": "includes string.h",
    },
    "stack/src/mode/ccm.c": {
        "#include <wardmote/tsch.h>\n": "mode may not depend on link",
    },
    "stack/src/store/counter_store.c": {
        "#  include  <wardmote/tsch.h>\n": "store may not depend on link",
    },
    "stack/src/link/tsch.c": {
        '#include "image/slot/slot.h"\n': "stack never includes anything outside itself",
    },
    "stack/include/wardmote/aes128.h": {
        '#include "../../src/util/wipe.h"\n': "public headers only",
        "#include <wardmote/tsch.h>\n": "cipher may not depend on link",
    },
    "firmware/image/slot/main.c": {
        '#include "../../../stack/src/util/wipe.h"\n': "stack/include and itself only",
    },
    "bench/native/frames.c": {
        '#include "../../stack/src/util/wipe.h"\n': "the host's headers only",
        '#include "nowhere.h"\n': "includes nowhere.h",
    },
    "host/file.c": {
        '#include "bench/native/frames.h"\n': "host may include stack/include",
    },
    "motes/crates/device/Cargo.toml": {
        "[dependencies]\nboard.workspace = true\n": "device may not depend on board",
    },
    "motes/crates/gadget/Cargo.toml": {
        "[dependencies]\n": "crate gadget has no arrows",
    },
    "bench/wardmote/measurements/slot/experiment.py": {
        "from wardmote.views import table\n": "measurements may not depend on views",
    },
    "bench/wardmote/views/table.py": {
        "import wardmote._motes\n": "views may not depend on _motes",
        "from ..call import x\n": "views may not depend on call",
    },
    "bench/wardmote/rows.py": {
        "import tests.conftest\n": "bench may not depend on tests",
    },
}
"""What a file must not hold, and what is said of it."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository in little, without a forbidden arrow."""
    files = {
        "stack/include/wardmote/aes128.h": "#include <stdint.h>\n",
        "stack/include/wardmote/ccm.h": "#include <wardmote/aes128.h>\n",
        "stack/include/wardmote/tsch.h": "#include <wardmote/ccm.h>\n",
        "stack/src/util/wipe.h": "",
        "stack/src/cipher/aes128_tab.c": '#include <wardmote/aes128.h>\n#include "util/wipe.h"\n',
        "stack/src/mode/ccm.c": "#include <wardmote/ccm.h>\n",
        "stack/src/link/tsch.c": "#include <wardmote/tsch.h>\n",
        "stack/src/store/counter_store.c": "#include <stdint.h>\n",
        "firmware/image/slot/main.c": '#include <wardmote/tsch.h>\n#include "slot.h"\n',
        "firmware/image/slot/slot.h": "",
        "bench/native/frames.c": "#include <string.h>\n#include <wardmote/tsch.h>\n#include "
        '"frames.h"\n',
        "bench/native/frames.h": "#include <stdint.h>\n",
        "host/file.c": "#include <unistd.h>\n#include <wardmote/tsch.h>\n",
        "hdl/rtl/aes128_pkg.vhd": "use ieee.std_logic_1164.all;\n",
        "hdl/rtl/aes128_fast.vhd": "-- use of nothing.else\nuse work.aes128_pkg.all;\n",
        "motes/crates/device/Cargo.toml": "[dependencies]\n",
        "motes/crates/board/Cargo.toml": "[dependencies]\ndevice.workspace = true\n",
        "bench/wardmote/measurements/slot/experiment.py": "from wardmote.rows import SlotRow\n",
        "bench/wardmote/views/table.py": "from wardmote.rows import SlotRow\n",
    }
    return written(tmp_path, files)


def test_this_repository_has_no_forbidden_arrow(root: Path) -> None:
    """The repository keeps its own rules."""
    assert all_faults(root, arrows.CHECKS) == []


def test_small_repository_passes(tree: Path) -> None:
    """Allowed includes, dependencies and imports are let through."""
    assert all_faults(tree, arrows.CHECKS) == []


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [(name, text, says) for name, rows in FORBIDDEN.items() for text, says in rows.items()],
)
def test_forbidden_arrow_is_caught(tree: Path, name: str, text: str, says: str) -> None:
    """One forbidden arrow gives a fault that names the file and the rule."""
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    faults = all_faults(tree, arrows.CHECKS)
    assert any(fault.startswith(name) and says in fault for fault in faults), faults


def test_dev_dependency_is_free(tree: Path) -> None:
    """Tests of a crate may use any crate."""
    (tree / "motes/crates/device/Cargo.toml").write_text(
        "[dev-dependencies]\nboard.workspace = true\n"
    )
    assert all_faults(tree, arrows.CHECKS) == []
