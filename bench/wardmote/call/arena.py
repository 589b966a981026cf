# SPDX-License-Identifier: BSD-3-Clause
"""The memory of one call: several buffers with guard octets around each."""

from collections.abc import Sequence

from wardmote.call.errors import GuardError

GUARD_OCTETS = 16
ALIGN = 16
PATTERN = bytes((0xA5 ^ i * 7) & 0xFF for i in range(256))
"""Of guard octets, from the first octet of the memory."""


class Arena:
    """Several buffers in one piece of memory, with guard octets before, between and after them."""

    def __init__(self, named: Sequence[tuple[str, bytes, bool]], align: int) -> None:
        """`named` holds name, contents and whether the function promised not to write."""
        self.named = named
        self.offsets: list[int] = []
        cursor = GUARD_OCTETS
        for _, octets, _ in named:
            cursor = -(-cursor // align) * align
            self.offsets.append(cursor)
            cursor += len(octets) + GUARD_OCTETS
        self.image = bytearray((PATTERN * (cursor // len(PATTERN) + 1))[:cursor])
        for offset, (_, octets, _) in zip(self.offsets, named, strict=True):
            self.image[offset : offset + len(octets)] = octets

    def check(self, after: bytes, where: str) -> list[bytes]:
        """The buffers' contents after a call; raises GuardError if anything else changed."""
        expected, contents, kept = bytearray(self.image), [], True
        for offset, (_, octets, const) in zip(self.offsets, self.named, strict=True):
            found = after[offset : offset + len(octets)]
            contents.append(found)
            expected[offset : offset + len(octets)] = found
            kept = kept and not (const and found != octets)
        if not kept or after != expected:
            self._explain(after, where)
        return contents

    def _explain(self, after: bytes, where: str) -> None:
        """Raises GuardError for the first guard or constant that changed."""
        gap, before = 0, ""
        for offset, (name, octets, const) in zip(self.offsets, self.named, strict=True):
            self._check_gap(after, gap, offset, before or f"before {name}", where)
            gap = offset + len(octets)
            before = f"past the end of {name} ({len(octets)} octets)"
            if const and after[offset:gap] != octets:
                raise GuardError(f"{where} wrote into {name}, which it declares const")
        self._check_gap(after, gap, len(after), before, where)

    def _check_gap(self, after: bytes, start: int, end: int, what: str, where: str) -> None:
        changed = [i for i in range(start, end) if after[i] != self.image[i]]
        if changed:
            least = "at least " if changed[-1] == end - 1 else ""
            raise GuardError(
                f"{where} wrote {least}{len(changed)} octets {what}, first at "
                f"{changed[0] - start:+d}"
            )
