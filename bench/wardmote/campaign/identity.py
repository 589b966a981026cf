# SPDX-License-Identifier: BSD-3-Clause
"""What a case's figures depend on, as digests: the case, its artefacts, and the code that
measures."""

import ast
import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from wardmote import __version__, _motes
from wardmote.paths import PACKAGE, data_files

NAME = "wardmote"


def identity(measure: Callable[..., Any], case: object, artefacts: Mapping[str, str]) -> str:
    """Digest of everything that the figures of `case` depend on; `artefacts` are digests by
    name."""
    parts = (measure.__qualname__, repr(case), sorted(artefacts.items()), code_of(measure))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:40]


def code_of(measure: Callable[..., Any]) -> str:
    """Digest of the code that measures: Python, the instrument's Rust sources, and data files."""
    return _code_of(measure.__module__)


@cache
def _code_of(module: str) -> str:
    digest = hashlib.sha256(f"{__version__} {_motes.SOURCES}".encode())
    files = {f"{name}.py": path for name, path in imported(module).items()} | data_files()
    for name, path in sorted(files.items()):
        digest.update(f"\n{name} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def imported(module: str) -> dict[str, Path]:
    """Files of a module and of every module of this package that it imports, directly or not."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _file_of(name)
        if path is None or name in found:
            continue
        found[name] = path
        waiting += [name.rpartition(".")[0], *_imports(path)]
    return found


def _file_of(module: str) -> Path | None:
    """A module's file; None where the name is no module of this package."""
    first, *parts = module.split(".")
    place = PACKAGE.joinpath(*parts)
    files = (place / "__init__.py", place.with_suffix(".py"))
    return next((path for path in files if first == NAME and path.is_file()), None)


def _imports(path: Path) -> Iterator[str]:
    """Names that a file imports from this package: modules, and what may be one."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(NAME):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(NAME))
