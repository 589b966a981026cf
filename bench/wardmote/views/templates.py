# SPDX-License-Identifier: BSD-3-Clause
"""Fills the templates of this folder: pages, pictures, and what figures depend on."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from wardmote.views.text import listed


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("wardmote.views", "."),
        autoescape=select_autoescape(("html.j2", "svg.j2")),
        undefined=StrictUndefined,
    )
    made.filters["listed"] = listed
    return made


def rendered(template: str, **values: Any) -> str:
    """The text of a template."""
    return _environment().get_template(template).render(**values)


def conditions_of(view: str, **values: Any) -> list[tuple[str, str]]:
    """What the figures of a view depend on, as pairs of name and value: the lines of its template
    in conditions/, each of which is `name: value`."""
    lines = rendered(f"conditions/{view}.j2", **values).splitlines()
    return [(name, value) for name, _, value in (line.partition(": ") for line in lines if line)]
