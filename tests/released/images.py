# SPDX-License-Identifier: BSD-3-Clause
"""The manifest of images that others released, where they are, and what they show."""

from __future__ import annotations

import hashlib
import tomllib
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wardmote import Mote
from wardmote._motes import MoteError

MANIFEST = Path(__file__).with_name("images.toml")
TIMEOUT_S = 30
SENT_AT_S = 1
"""What the other end of its line sends, it sends then."""
EACH_S = 0.5
"""An image that has shown everything is not run on; it is looked at so often."""


@dataclass(frozen=True, slots=True)
class Image:
    """One image, and what is expected of it."""

    source: str
    commit: str
    path: str
    sha256: str
    board: str
    seconds: float
    what: str
    text: str = ""
    octets: str = ""
    never: str = ""
    frames: int = 0
    pin: str = ""
    edges: int = 0
    changes: Mapping[str, float] = field(default_factory=dict)
    identity: int | None = None
    send: str = ""
    baud: int = 57_600

    @property
    def name(self) -> str:
        """Of its file."""
        return self.path.rpartition("/")[2]

    @property
    def expected(self) -> str:
        """In words."""
        parts = [repr(self.text)] if self.text else []
        parts += [self.octets] if self.octets else []
        parts += [f"no {self.never!r}"] if self.never else []
        parts += [f"{self.frames} frames"] if self.frames else []
        parts += [f"{self.edges} edges of {self.pin}"] if self.edges else []
        return ", ".join(parts)

    def fits(self, octets: bytes) -> bool:
        """Is this the file?"""
        return hashlib.sha256(octets).hexdigest() == self.sha256


def images() -> list[Image]:
    """All of the manifest."""
    return [Image(**one) for one in tomllib.loads(MANIFEST.read_text("utf-8"))["image"]]


def at_hand(folder: Path | None) -> dict[str, Path]:
    """Files below a folder by their SHA-256."""
    files = [] if folder is None else [path for path in folder.rglob("*") if path.is_file()]
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in files}


def fetched(image: Image, folder: Path) -> Path | str:
    """The image from its source, kept in a folder; or why there is none."""
    url = f"{image.source}/raw/{image.commit}/{image.path}"
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
            octets = answer.read()
    except OSError as error:
        return str(getattr(error, "reason", error))
    if not image.fits(octets):
        return "another file is there: its SHA-256 differs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{image.sha256[:12]}-{image.name}"
    path.write_bytes(octets)
    return path


@dataclass(frozen=True, slots=True)
class Seen:
    """What an image has shown."""

    right: bool
    seconds: float
    text: str


def _shown(image: Image, mote: Mote) -> list[bool]:
    edges = [edge for edge in mote.edges if edge.pin == image.pin]
    return [
        image.text.encode() in mote.octets,
        bytes.fromhex(image.octets) in mote.octets,
        len(mote.frames) >= image.frames,
        len(edges) >= image.edges,
    ]


def run(image: Image, path: Path) -> Seen:
    """Boots it, and looks until everything has been seen or its time is over."""
    mote = Mote(path, image.board, changes=image.changes, identity=image.identity)
    fault = ""
    if image.pin:
        port, _, bit = image.pin.partition(".")
        mote.air.simulation.watch_pin(mote.place, int(port), int(bit))
    try:
        if image.send:
            mote.run(SENT_AT_S)
            mote.send(bytes.fromhex(image.send), baud=image.baud)
        while mote.seconds < image.seconds and not all(_shown(image, mote)):
            mote.run(EACH_S)
    except MoteError as error:
        fault = str(error)
    right = all(_shown(image, mote)) and not (image.never and image.never.encode() in mote.octets)
    edges = sum(edge.pin == image.pin for edge in mote.edges)
    parts = [f"{len(mote.octets)} octets"] if mote.octets else []
    parts += [f"{len(mote.frames)} frames"] if mote.frames else []
    parts += [f"{edges} edges"] if image.pin else []
    parts += [f"{len(mote.misuse)} misuses"] if mote.misuse else []
    parts += [fault] if fault else []
    return Seen(right, mote.seconds, ", ".join(parts) or "nothing")
