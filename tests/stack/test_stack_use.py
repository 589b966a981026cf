# SPDX-License-Identifier: BSD-3-Clause
"""The bounds in stack/stack-use are those of the code: no call takes more, and none is stale."""

import pytest

from scripts.update_needs import DOCUMENT
from tests.stack.stack_use import WORD, measured
from wardmote.cpus import CPU_NAMES
from wardmote.linked import Form
from wardmote.measurements.needs.measure import Needs
from wardmote.measurements.needs.stack_use import FORMS, bounds, of_headers
from wardmote.views import needs as view
from wardmote.views.document import texts

LEAST = 0.8
"""Of a bound that a call must take, unless a word is all that it lacks."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_every_public_function_has_its_bound(cpu: str, form: Form) -> None:
    """Each function of the public headers is called, takes no more than its bound, and not so much
    less that the bound says nothing."""
    found, most = measured(cpu, form), bounds(cpu, form)
    assert found.keys() == most.keys()
    over = {name: octets for name, octets in found.items() if octets > most[name]}
    stale = {
        name: octets
        for name, octets in found.items()
        if octets < LEAST * most[name] and octets + WORD < most[name]
    }
    assert not over
    assert not stale, "run .venv/bin/python -m tests.stack.stack_use"


def test_document_shows_the_bounds() -> None:
    """The table of the document is made of them."""
    block = texts(DOCUMENT.read_text(encoding="utf-8"), view.BLOCKS.kind)["stack"]
    assert block == view.stack(Needs({}, (), {}, of_headers())), "run scripts/update_needs.py"
