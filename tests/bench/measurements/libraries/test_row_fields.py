# SPDX-License-Identifier: BSD-3-Clause
"""Every field of the rows of libraries, by hand from builds and costs that are made up."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wardmote.measurements.libraries import campaign, measure
from wardmote.measurements.libraries.attempts import EXECUTABLE, WrongAnswerError
from wardmote.measurements.libraries.builds import SOMETHING_ELSE
from wardmote.measurements.libraries.kinds import PRIMITIVES
from wardmote.measurements.libraries.rows import OURS, LibraryRow

PRIMITIVE = next(one for one in PRIMITIVES if len(one.kind.figures) > 1)


class Attempt:
    """A variant of a library, which is built somewhere."""

    def __init__(self, library: str, variant: str, cpu: str = "avr", reason: str = "") -> None:
        """Takes what names it, and why it is known to fail."""
        self.cpu, self.order, self.reason = cpu, "order", reason or None
        self.build = SimpleNamespace(library=library, primitive=PRIMITIVE)
        label = f"{library} {variant} {cpu}"
        self.case = SimpleNamespace(label=label, cpu=cpu, primitive=PRIMITIVE)
        self.facts = {"cpu": cpu, "library": library, "version": "3", "variant": variant,
                      "source": "there"}  # fmt: skip

    def executable(self) -> Path:
        """Where it would be."""
        return Path(self.case.label)


class Run:
    """A runner that knows the figures."""

    def __init__(self, *figures: dict[str, Any]) -> None:
        """In the order of the cases."""
        self.figures = figures

    def run(self, _campaign: Any) -> Any:
        """What was measured."""
        return SimpleNamespace(figures=list(self.figures))


def figures(key: int, block: int, frame: int) -> dict[str, Any]:
    """What one case costs."""
    return {"key_cycles": key, "block_cycles": block, "frame_cycles": frame, "flash_octets": 2003,
            "ram_octets": 304, "stack_octets": 105, "compiler": "cc 1", "no_secret_branch": True,
            "no_secret_address": False}  # fmt: skip


def test_every_field_of_aes_and_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best block of ours is that of one variant, the best frame that of another; another CPU's
    do not count. The quickest frame is first."""
    attempts = [Attempt("other", "b"), Attempt(OURS, "tab"), Attempt(OURS, "fix"),
                Attempt(OURS, "tab", "msp430")]  # fmt: skip
    monkeypatch.setattr(measure, "attempts_of", lambda *_: attempts)
    monkeypatch.setattr(measure, "compiled_with", lambda cpu, order: f"-O9 {cpu} {order}")
    found = (figures(700, 3000, 45_000), figures(500, 2000, 40_000), figures(510, 2500, 30_000),
             figures(1, 2, 3))  # fmt: skip
    runner: Any = Run(*found)
    rows = measure.library_rows((), ("msp430", "avr"), lambda _: None, runner)
    assert [(row.cpu, row.variant, row.block_ratio, row.frame_ratio) for row in rows] == [
        ("msp430", "tab", 1.0, 1.0),
        ("avr", "fix", 1.25, 1.0),
        ("avr", "tab", 1.0, 40_000 / 30_000),
        ("avr", "b", 1.5, 1.5),
    ]
    facts = {"cpu": "avr", "library": "other", "version": "3", "variant": "b", "source": "there"}
    assert dataclasses.asdict(rows[-1]) == found[0] | facts | {
        "block_ratio": 1.5, "frame_ratio": 1.5, "flags": "-O9 avr order",
    }  # fmt: skip


def test_figures_of_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Key, block and frame are parts of one profile; sizes are those of the run with known outputs,
    verdicts those of the runs with other secrets."""
    parts = zip(measure.PARTS, (700, 3000, 45_000), strict=True)
    profile = SimpleNamespace(
        operation="work", cpu="avr",
        functions=[SimpleNamespace(function=name, cycles_with_callees=n) for name, n in parts],
    )  # fmt: skip
    sizes = {"flash_octets": 2003, "ram_octets": 304, "stack_octets": 105, "compiler": "cc 1"}
    row = SimpleNamespace(holds=True, no_secret_branch=None, no_secret_address=None, **sizes)
    judged = SimpleNamespace(no_secret_branch=True, no_secret_address=None, stack_octets=1)
    monkeypatch.setattr(measure, "measure_and_profile", lambda *_, **__: ([row], [profile]))
    monkeypatch.setattr(measure, "measure", lambda *_, **__: [judged])
    case: Any = SimpleNamespace(cpu="avr", primitive=PRIMITIVE)
    found = measure.figures_of(case, {EXECUTABLE: b""})
    assert found == figures(700, 3000, 45_000)
    assert set(LibraryRow.__dataclass_fields__) - set(found) == {
        *("cpu", "library", "version", "variant", "source", "flags", "block_ratio", "frame_ratio"),
    }
    row.holds, row.unexpected = False, "tag is 1"
    with pytest.raises(WrongAnswerError, match="tag is 1"):
        measure.figures_of(case, {EXECUTABLE: b""})


def test_every_field_of_other_primitives(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ratio is of the last figure, to the best of ours on that CPU. One that computes something
    else has no figures, and says why."""
    attempts = [Attempt(OURS, "a"), Attempt(OURS, "b"), Attempt("other", "c"),
                Attempt("other", "d", reason=SOMETHING_ELSE)]  # fmt: skip
    monkeypatch.setattr(campaign, "attempts_of", lambda *_: attempts)
    monkeypatch.setattr(
        campaign, "together", lambda function, all_: [function(one) for one in all_]
    )
    made = {"flash_octets": 2003, "stack_octets": 105, "compiler": "cc 1"}
    cycles = ([90, 410], [95, 400], [50, 600], [1, 2])
    runner: Any = Run(*(
        made | {"cycles": own, "results": {"16": {"tag": "00" if own[0] > 1 else "01"}}}
        for own in cycles
    ))  # fmt: skip
    rows = campaign.primitive_rows(("avr",), lambda _: None, runner, (), (PRIMITIVE,))
    alike = {"cpu": "avr", "primitive": PRIMITIVE.title, "version": "3", "source": "there",
             "of": PRIMITIVE.kind.figures}  # fmt: skip
    assert [dataclasses.asdict(row) for row in rows] == [
        alike | made | {"library": library, "variant": variant, "cycles": own, "ratio": ratio,
                        "why": ""}
        for library, variant, own, ratio in (
            (OURS, "b", (95, 400), 1.0), (OURS, "a", (90, 410), 1.025), ("other", "c", (50, 600), 1.5),
        )
    ] + [
        alike | {"library": "other", "variant": "d", "cycles": (), "ratio": None, "compiler": "",
                 "flash_octets": None, "stack_octets": None, "why": SOMETHING_ELSE}
    ]  # fmt: skip
