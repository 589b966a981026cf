# SPDX-License-Identifier: BSD-3-Clause
"""Puts a count of instructions into the compiler's assembly for 32-bit x86: count_blocks.py IN.s
OUT.s

A block begins at a label or after a jump, a call or a return, and its instructions run one after
the other. In front of each, the number of its instructions is added to a sum; flags and registers
are kept, and the words below the stack pointer, which the call takes, hold nothing in this ABI. So
the counted program takes the path of the plain one and the sum is its number of instructions, each
as often as it was executed: what single steps count, in far less time.
"""

import re
import sys
from pathlib import Path

LABEL = re.compile(r"^[\w.$]+:")
ENDS = re.compile(r"^(j\w+|call\w*|ret\w*)$")
REPEATED = re.compile(r"^rep")
"""A repeated instruction is as many steps as it has turns: none is known here."""
PADDED = (".p2align", ".balign", ".align")
SECTION = re.compile(r"^\.(text|data|bss|section)\b(.*)")
COMMENT = re.compile(r"#.*$")


class CountError(Exception):
    """Assembly that cannot be counted; the text is one line."""


def counted(text: str, name: str) -> str:
    """The assembly with a count in front of each block."""
    out: list[str] = []
    block: list[str] = []
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        words = COMMENT.sub("", line).split()
        if not words:
            continue
        if LABEL.match(line):
            _close(out, block)
            out.append(line)
        elif words[0].startswith("."):
            if section := SECTION.match(" ".join(words)):
                _close(out, block)
                code = (
                    section[1] == "text"
                    or '"ax' in section[2]
                    or section[2].strip().startswith(".text")
                )
            if block and words[0] in PADDED:
                raise CountError(
                    f"{name}:{number}: what fills up here would be executed: {line.strip()}"
                )
            (block if block else out).append(line)
        elif not code:
            raise CountError(f"{name}:{number}: an instruction outside the code: {line.strip()}")
        elif REPEATED.match(words[0]):
            raise CountError(
                f"{name}:{number}: a repeated instruction is no single step: {line.strip()}"
            )
        else:
            block.append(line)
            if ENDS.match(words[0]):
                _close(out, block)
    _close(out, block)
    return "\n".join(out) + "\n"


def _close(out: list[str], block: list[str]) -> None:
    """Writes a block, and what counts it in front."""
    instructions = sum(not line.split()[0].startswith(".") for line in block)
    if instructions:
        out += ["\tpushfl", f"\tpushl\t${instructions}", "\tcalll\twm_block", "\tpopfl"]
    out += block
    block.clear()


def main() -> None:
    """One file."""
    source, target = map(Path, sys.argv[1:])
    try:
        target.write_text(
            counted(source.read_text(encoding="utf-8"), source.name), encoding="utf-8"
        )
    except CountError as error:
        sys.exit(f"count_blocks: {error}")


if __name__ == "__main__":
    main()
