# SPDX-License-Identifier: BSD-3-Clause
"""Fills the templates of this folder: pages, pictures, and what figures depend on."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from wardmote.views.text import listed


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("wardmote.views", "."),
        autoescape=select_autoescape(("html.j2", "svg.j2")),
        undefined=StrictUndefined,
    )
    made.filters["listed"] = listed
    made.globals["asset"] = asset
    return made


def asset(name: str) -> Markup:
    """A style sheet or a script of this folder, as it is."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return Markup(text)


def rendered(template: str, **values: Any) -> str:
    """The text of a template."""
    return _environment().get_template(template).render(**values)


def embedded(data: Any) -> str:
    """JSON that can stand in a page's script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def conditions_of(view: str, **values: Any) -> list[tuple[str, str]]:
    """What the figures of a view depend on, as pairs of name and value: the lines of its template
    in conditions/, each of which is `name: value`."""
    lines = rendered(f"conditions/{view}.j2", **values).splitlines()
    return [(name, value) for name, _, value in (line.partition(": ") for line in lines if line)]
