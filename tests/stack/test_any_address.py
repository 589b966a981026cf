# SPDX-License-Identifier: BSD-3-Clause
"""Octets lie at any address: keys, messages, tags and blocks of octets, however words are read
there."""

from __future__ import annotations

import pytest

from tests.stack.primitive_calls import FORMS, GROUPS, Calls
from wardmote.call import Argument, Buffer
from wardmote.cpus import CPU_NAMES
from wardmote.prototypes import Pointer, Scalar


class Moved(Calls):
    """Calls that are made once with everything aligned, then with octets 1, 2 and 3 behind that."""

    moved = 0

    def __call__(self, name: str, *args: Argument) -> None:
        """One call, and the others."""
        given = [bytes(a) if isinstance(a, (bytes, bytearray)) else a for a in args]
        outcome = self.target.call(name, *args)
        octets = [self._of_octets(name, i) and isinstance(a, bytes) for i, a in enumerate(given)]
        for offset in (1, 2, 3):
            places: dict[int, Buffer] = {}
            again: list[Argument] = []
            for i, argument in enumerate(given):
                if isinstance(argument, bytes) and octets[i]:
                    places[i] = self.target.buffer(bytes(offset) + argument)
                    again.append(places[i].address + offset)
                else:
                    again.append(bytearray(argument) if isinstance(argument, bytes) else argument)
            moved = self.target.call(name, *again)
            kept = iter(moved.buffers)
            after = [
                places[i].read()[offset:] if i in places else next(kept)
                for i, argument in enumerate(given)
                if isinstance(argument, bytes)
            ]
            assert (moved.value, after) == (outcome.value, list(outcome.buffers)), (name, offset)
            self.moved += len(places)
            self.target.reset()

    def _of_octets(self, name: str, i: int) -> bool:
        """Is this argument a pointer to octets?"""
        type_ = self.target.prototypes.function(name).parameters[i].type
        if not isinstance(type_, Pointer) or not isinstance(type_.target, Scalar):
            return False
        return self.target.prototypes.sizeof(type_.target, self.target.model) == 1


@pytest.mark.parametrize("form", FORMS, ids=["fast", "small"])
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_octets_lie_at_any_address(cpu: str, form: str) -> None:
    """What a primitive makes of octets does not depend on where they lie."""
    for group, run in GROUPS.items():
        calls = Moved(cpu + form, group)
        run(calls)
        assert calls.moved >= 12
