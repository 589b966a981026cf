# SPDX-License-Identifier: BSD-3-Clause
"""Sources of other libraries: pinned, fetched by their package managers, kept in build/, never committed."""

import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.errors import UsageError
from wardmote.paths import BUILD

KEPT = BUILD / "libraries"
DEBIAN = "deb-src http://deb.debian.org/debian bookworm main\n"
LOG_LINES = 3


@dataclass(frozen=True, slots=True)
class Source:
    """One package, exactly."""

    name: str
    version: str
    registry: str
    """`crate`, or `Debian`."""
    package: str
    package_version: str
    sha256: str
    """Of the crate, or of the upstream archive of the Debian source package."""

    @property
    def origin(self) -> str:
        """Where it comes from, in words."""
        return f"{self.registry} {self.package} {self.package_version}, sha256 {self.sha256[:12]}"

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        return KEPT / f"{self.name}-{self.version}-{self.sha256[:12]}"


MBEDTLS = Source(
    "mbedtls",
    "2.28",
    "crate",
    "mbedtls-sys-auto",
    "2.28.15",
    "2fdbd15978db1dec7592cf8864094bcf6f7a101d7f84af15c2423967079982c1",
)
BEARSSL = Source(
    "bearssl",
    "0.6",
    "Debian",
    "bearssl",
    "0.6+dfsg.1-3",
    "102a625bd8f6155260867a50c508df8d8c3f796985dd744df1a68e5cd1a79004",
)
LIBTOMCRYPT = Source(
    "libtomcrypt",
    "1.18.2",
    "Debian",
    "libtomcrypt",
    "1.18.2-6",
    "96ad4c3b8336050993c5bc2cf6c057484f2b0f9f763448151567fbab5e767b84",
)


def fetch(source: Source, say: Callable[[str], object]) -> Path:
    """The folder with its files; fetched and checked on first use."""
    if source.folder.is_dir():
        return source.folder
    say(f"libraries: fetching {source.origin}")
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as name:
        got = (_crate if source.registry == "crate" else _debian)(source, Path(name))
        got.rename(source.folder)
    return source.folder


def _crate(source: Source, folder: Path) -> Path:
    """By cargo, which checks what it fetches; what the crate itself depends on is not used."""
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
        f'{source.package} = {{ version = "={source.package_version}", default-features = false }}\n'
    )
    _run(["cargo", "vendor", "--quiet", "vendor"], folder, source)
    got = folder / "vendor" / source.package
    _check(source, json.loads((got / ".cargo-checksum.json").read_text())["package"])
    return got / "vendor"


def _debian(source: Source, folder: Path) -> Path:
    """By apt, with lists of its own, so that it changes nothing on the machine and needs no rights."""
    for part in ("lists/partial", "cache/archives/partial", "unpacked"):
        (folder / part).mkdir(parents=True)
    (folder / "sources.list").write_text(DEBIAN)
    places = {"Etc::sourcelist": "sources.list", "State::lists": "lists", "Cache": "cache"}
    options = [word for name, path in places.items() for word in ("-o", f"Dir::{name}={folder / path}")]
    apt = ["apt-get", "-qq", *options, "-o", "Dir::Etc::sourceparts=-", "-o", "APT::Sandbox::User="]
    _run([*apt, "update"], folder, source)
    _run([*apt, "source", "--download-only", f"{source.package}={source.package_version}"], folder, source)
    archive = next(iter(folder.glob("*.orig.tar.*")), None)
    if archive is None:
        raise UsageError(f"{source.origin}: apt fetched no upstream archive")
    _check(source, hashlib.sha256(archive.read_bytes()).hexdigest())
    _unpack(archive, folder / "unpacked")
    return folder / "unpacked"


def _unpack(archive: Path, folder: Path) -> None:
    """The files of an archive without its outermost folder, and nothing that would leave `folder`."""
    with tarfile.open(archive) as members:
        for member in members:
            parts = Path(member.name).parts[1:]
            octets = members.extractfile(member) if member.isfile() else None
            if octets is None or not parts or ".." in parts:
                continue
            path = folder.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(octets.read())


def _check(source: Source, sha256: str) -> None:
    if sha256 != source.sha256:
        raise UsageError(f"{source.origin}: what was fetched has sha256 {sha256}")


def _run(words: Sequence[str], folder: Path, source: Source) -> None:
    if shutil.which(words[0]) is None:
        raise UsageError(f"{source.origin} is fetched by {words[0]}, which is not here")
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        last = " ".join(done.stderr.strip().splitlines()[-LOG_LINES:])
        raise UsageError(f"{source.origin} cannot be fetched: {words[0]}: {last}")
