# SPDX-License-Identifier: BSD-3-Clause
"""What motes say on their serial lines, in lines of text, and what is awaited and answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wardmote.errors import UsageError
from wardmote.units import PS_PER_S

NEWLINE, RETURN = 0x0A, 0x0D
LONGEST = 256
"""Octets of a line; what is longer is cut into several."""
QUIET_PS = PS_PER_S // 10
"""A line without an end is shown when nothing has followed for so long."""
AFTER = "=>"
Where = tuple[int, int]
"""A mote and one of its serial lines."""


def octets(text: str) -> bytes:
    r"""A text of the command line: \n, \r, \t, \\, \0 and \xNN are one octet each; everything else is
    UTF-8. Raises UsageError."""
    found, rest = bytearray(), text
    while rest:
        plain, slash, rest = rest.partition("\\")
        found += plain.encode()
        if not slash:
            break
        kind, rest = rest[:1], rest[1:]
        single = {"n": 10, "r": 13, "t": 9, "\\": 92, "0": 0}
        if kind in single:
            found.append(single[kind])
        elif (
            kind == "x" and len(rest) >= 2 and all(c in "0123456789abcdefABCDEF" for c in rest[:2])
        ):
            found.append(int(rest[:2], 16))
            rest = rest[2:]
        else:
            raise UsageError(rf"{text!r}: after \ comes n, r, t, 0, \ or xNN")
    return bytes(found)


@dataclass(frozen=True, slots=True)
class Said:
    """A line of text, or a part of one, as a mote said it."""

    at_ps: int
    """When its last octet ended."""
    place: int
    line: int
    """Which serial line."""
    octets: bytes


@dataclass(slots=True)
class _Open:
    """A line that has no end yet."""

    octets: bytearray = field(default_factory=bytearray)
    last_ps: int = 0


class Ears:
    """Puts characters together to lines."""

    def __init__(self) -> None:
        self._open: dict[Where, _Open] = {}

    def hear(self, at_ps: int, where: Where, octet: int) -> Said | None:
        """The line that this character ends."""
        line = self._open.setdefault(where, _Open())
        line.last_ps = at_ps
        if octet != NEWLINE:
            line.octets.append(octet)
        return self._cut(where) if octet == NEWLINE or len(line.octets) >= LONGEST else None

    def quiet(self, now_ps: int, least_ps: int = QUIET_PS) -> list[Said]:
        """What has no end and has not gone on for so long."""
        found = [
            where
            for where, line in self._open.items()
            if line.octets and now_ps - line.last_ps >= least_ps
        ]
        return [self._cut(where) for where in found]

    def _cut(self, where: Where) -> Said:
        line = self._open.pop(where)
        return Said(line.last_ps, *where, bytes(line.octets).removesuffix(bytes([RETURN])))


class Watch:
    """Waits for a text on any one of the lines."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._tails: dict[Where, bytes] = {}

    def feed(self, where: Where, octet: int) -> bool:
        """True with the character that ends the text."""
        tail = self._tails.get(where, b"") + bytes([octet])
        self._tails[where] = tail[-len(self._text) :]
        return self._tails[where] == self._text


@dataclass(frozen=True, slots=True)
class Answer:
    """Octets for motes, as soon as one has said something; at once if that is empty."""

    after: bytes
    octets: bytes

    @classmethod
    def of(cls, text: str) -> Answer:
        """`TEXT` or `AFTER=>TEXT`."""
        after, arrow, rest = text.partition(AFTER)
        return cls(octets(after), octets(rest)) if arrow else cls(b"", octets(text))


class Talk:
    """Texts that are awaited one after the other, and answers, each given once."""

    def __init__(self, awaited: Sequence[bytes], answers: Sequence[Answer]) -> None:
        self._awaited = list(awaited)
        self._watch = Watch(awaited[0]) if awaited else None
        self._answers = [(Watch(answer.after), answer) for answer in answers if answer.after]
        self.due: list[tuple[int, int | None, bytes]] = [
            (0, None, answer.octets) for answer in answers if not answer.after
        ]
        """What is to be sent: (when it became due, the mote that asked; None for all, octets)."""
        self.seen: list[tuple[int, bytes]] = []
        """The awaited texts that came, and when."""

    @property
    def missing(self) -> list[bytes]:
        """Texts that have not come."""
        return self._awaited[len(self.seen) :]

    @property
    def done(self) -> bool:
        """Has everything come that was awaited?"""
        return bool(self._awaited) and not self.missing

    def hear(self, at_ps: int, where: Where, octet: int) -> None:
        """A character, in the order of time."""
        if self._watch and self._watch.feed(where, octet):
            self.seen.append((at_ps, self._awaited[len(self.seen)]))
            self._watch = Watch(self.missing[0]) if self.missing else None
        for watch, answer in list(self._answers):
            if watch.feed(where, octet):
                self._answers.remove((watch, answer))
                self.due.append((at_ps, where[0], answer.octets))
