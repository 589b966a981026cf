# SPDX-License-Identifier: BSD-3-Clause
"""Sources of other libraries. Package managers fetch pinned versions into build/; nothing of them
is committed."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.errors import MissingError, UsageError
from wardmote.paths import BUILD

KEPT = BUILD / "libraries"
DEBIAN = "deb-src http://deb.debian.org/debian bookworm main\n"
LOG_LINES = 3


@dataclass(frozen=True, slots=True)
class Source:
    """One version of one package."""

    name: str
    version: str
    registry: str
    """`crate`, `Debian`, `npm` or `PyPI`."""
    package: str
    package_version: str
    sha256: str
    """Hash of the crate, of the upstream archive in a Debian source package, or of the archive of npm
    or PyPI."""
    inside: str = "vendor"
    """The folder of a crate, or of a package of npm or PyPI, that is kept."""
    only: frozenset[str] = frozenset()
    """Names of the files of a crate that are kept; empty keeps all."""

    @property
    def origin(self) -> str:
        """Registry, package, version and hash, for rows and messages."""
        return f"{self.registry} {self.package} {self.package_version}, sha256 {self.sha256[:12]}"

    @property
    def folder(self) -> Path:
        """The folder in build/ that keeps the files."""
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
WOLFSSL = Source(
    "wolfssl",
    "5.9.1",
    "crate",
    "wolfssl-sys",
    "4.0.0",
    "31d88954b68cf1b0360897f6847edcdc51e4e0f57298d0f87bc56917c39687ad",
    inside="wolfssl-src",
)
LIBB2 = Source(
    "libb2",
    "0.98.1",
    "Debian",
    "libb2",
    "0.98.1-1.1",
    "10053dbc2fa342516b780a6bbf6e7b2a2360b8d49c5ac426936bf3df82526732",
)
KECCAK = Source(
    "keccak",
    "3.0.4",
    "npm",
    "keccak",
    "3.0.4",
    "4d7676e5676781e977aa00b0452ad3e0239da012cabe26f547ecc8d8a2f537de",
    inside="src",
)
PYTRIVIUM = Source(
    "pytrivium",
    "1.0.7",
    "PyPI",
    "pytrivium",
    "1.0.7",
    "6a30b4e4492e7e5d585a39906998d015244c5f217ba4b7399cd629944a8001f3",
    inside="src/_cffi_src/c-trivium",
)


def fetch(source: Source, say: Callable[[str], object]) -> Path:
    """The folder with the files; fetches and checks them on first use."""
    if source.folder.is_dir():
        return source.folder
    say(f"libraries: fetching {source.origin}")
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as name:
        clients = {"crate": _crate, "Debian": _debian, "npm": _npm, "PyPI": _pypi}
        got = clients[source.registry](source, Path(name))
        got.rename(source.folder)
    return source.folder


def _crate(source: Source, folder: Path) -> Path:
    """Fetches by cargo, which checks the hash. The dependencies of the crate are not used."""
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = '
        '"2021"\n[workspace]\n[dependencies]\n'
        f'{source.package} = {{ version = "={source.package_version}", default-features = false }}\n'
    )
    _run(["cargo", "vendor", "--quiet", "vendor"], folder, source)
    got = folder / "vendor" / source.package
    _check(source, json.loads((got / ".cargo-checksum.json").read_text())["package"])
    for path in (got / source.inside).iterdir():
        if source.only and path.name not in source.only:
            path.unlink()
    return got / source.inside


def _debian(source: Source, folder: Path) -> Path:
    """Fetches by apt with separate lists, so that it changes nothing else and needs no rights."""
    for part in ("lists/partial", "cache/archives/partial", "unpacked"):
        (folder / part).mkdir(parents=True)
    (folder / "sources.list").write_text(DEBIAN)
    places = {"Etc::sourcelist": "sources.list", "State::lists": "lists", "Cache": "cache"}
    options = [
        word for name, path in places.items() for word in ("-o", f"Dir::{name}={folder / path}")
    ]
    apt = ["apt-get", "-qq", *options, "-o", "Dir::Etc::sourceparts=-", "-o", "APT::Sandbox::User="]
    _run([*apt, "update"], folder, source)
    _run(
        [*apt, "source", "--download-only", f"{source.package}={source.package_version}"],
        folder,
        source,
    )
    archive = next(iter(folder.glob("*.orig.tar.*")), None)
    if archive is None:
        raise UsageError(f"{source.origin}: apt fetched no upstream archive")
    _check(source, hashlib.sha256(archive.read_bytes()).hexdigest())
    _unpack(archive, folder / "unpacked")
    return folder / "unpacked"


def _npm(source: Source, folder: Path) -> Path:
    """Fetches by npm, which unpacks and runs nothing."""
    words = ["npm", "pack", "--silent", "--ignore-scripts"]
    words.append(f"{source.package}@{source.package_version}")
    _run(words, folder, source)
    return _from_archive(source, folder, "*.tgz")


BACKEND = """\
from pathlib import Path


class Named:
    def get_requires_for_build_wheel(self, settings=None):
        return []

    def prepare_metadata_for_build_wheel(self, folder, settings=None):
        made = Path(folder, "{name}-{version}.dist-info")
        made.mkdir()
        Path(made, "METADATA").write_bytes(Path("PKG-INFO").read_bytes())
        return made.name


__legacy__ = Named()
"""
"""Replaces setuptools when pip asks a source package for its metadata, so that no code of the
package runs."""


def _pypi(source: Source, folder: Path) -> Path:
    """Fetches by pip, which checks the archive before it opens it."""
    backend = folder / "backend" / "setuptools"
    backend.mkdir(parents=True)
    (backend / "__init__.py").touch()
    (backend / "build_meta.py").write_text(
        BACKEND.format(name=source.package, version=source.package_version)
    )
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{source.package}=={source.package_version} --hash=sha256:{source.sha256}\n")
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    words += ["--no-deps", "--use-pep517", "--no-build-isolation", "--no-binary", ":all:"]
    words += ["--require-hashes", "-r", str(wanted)]
    _run(words, folder, source, {"PYTHONPATH": str(backend.parent)})
    return _from_archive(source, folder, "*.tar.gz")


def _from_archive(source: Source, folder: Path, pattern: str) -> Path:
    """Checks the archive against the pinned hash; returns the folder that is kept."""
    archive = next(iter(folder.glob(pattern)), None)
    if archive is None:
        raise UsageError(f"{source.origin}: nothing was fetched")
    _check(source, hashlib.sha256(archive.read_bytes()).hexdigest())
    _unpack(archive, folder / "unpacked")
    return folder / "unpacked" / source.inside


def _unpack(archive: Path, folder: Path) -> None:
    """Unpacks an archive without its outermost folder; skips paths that lead out of `folder`."""
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


def _run(
    words: Sequence[str], folder: Path, source: Source, more: Mapping[str, str] | None = None
) -> None:
    """Runs a package manager with `more` in its environment."""
    if shutil.which(words[0]) is None:
        raise MissingError(f"{source.origin} is fetched by {words[0]}, which is not here")
    environment = {**os.environ, **(more or {})}
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        last = " ".join(done.stderr.strip().splitlines()[-LOG_LINES:])
        raise UsageError(f"{source.origin} cannot be fetched: {words[0]}: {last}")
