# SPDX-License-Identifier: BSD-3-Clause
"""`make packages`: C that packages of PyPI and crates.io ship, measured unchanged on every CPU, beside
what others print.

    .venv/bin/python -m bench.targets.packages [--page FILE]

pip and cargo fetch pinned versions into build/libraries. With --page the table is written between
the marks of that document. Exit code 1 means that an output is not the known one.
"""

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import wardmote
from bench.targets.libraries import write_page
from wardmote.errors import WardmoteError
from wardmote.measurements.function.files import ALL
from wardmote.measurements.function.rows import MeasureRow
from wardmote.measurements.libraries.sources import Source, fetch
from wardmote.paths import ROOT
from wardmote.published import load

MARK = "packages"
COLUMNS = 100
LACKING = ROOT / "bench" / "libraries" / "packages"
"""Headers that a freestanding compiler lacks and these packages name."""
HOST = "host"
CPUS = tuple(cpu for cpu in ALL if cpu != HOST)
REASON = re.compile(r"^.*cycle \d+: ")
"""What stands before the reason of a fault."""
HASHING = ("keccak", "sha3_", "shake", "load64", "store64")
HEAD = (
    "| package | function | cpu | cycles | stack octets | flash octets | others print |\n"
    "| --- | --- | --- | ---: | ---: | ---: | --- |\n"
)


@dataclass(frozen=True, slots=True)
class Package:
    """A function of a package."""

    name: str
    sources: tuple[Source, ...]
    files: tuple[str, ...]
    """Patterns, each below the first source that has such files."""
    call: str
    args: tuple[str, ...]
    include: tuple[str, ...] = ()
    """Folders below any source, the first to be searched first."""
    expect: tuple[str, ...] = ()
    flags: str = "-O2"
    instead: Mapping[str, str] = field(default_factory=dict)
    """Flags of a CPU that is measured apart, beside this machine alone: its compiler cannot do with
    the usual ones, or its outputs are wrong."""
    beside: tuple[str, ...] = ()
    """Files of ours that are linked with it."""
    hashing: bool = False
    """The table says too what it takes without hashing."""


PACKAGES = (
    Package(
        "ChaCha20",
        (
            Source(
                "monocypher",
                "4.0.2",
                "PyPI",
                "pymonocypher",
                "4.0.2.5",
                "472babbf218773bb6d3e396aac20749beaeb3bea505da0df992dbd97410bef98",
                inside=".",
            ),
        ),
        ("monocypher.c",),
        "uint64_t crypto_chacha20_djb(uint8_t *cipher_text, const uint8_t *plain_text,"
        " size_t text_size, const uint8_t key[32], const uint8_t nonce[8], uint64_t ctr)",
        (
            *("text_size=64", "ctr=0", "cipher_text=random:64", "plain_text=hex:" + "00" * 64),
            *("key=zero", "nonce=zero"),
        ),
        expect=(
            "cipher_text=hex:76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
        ),
        instead={"msp430": "-Os"},
    ),
    Package(
        "BLAKE3",
        (
            Source(
                "blake3",
                "1.8.7",
                "crate",
                "blake3",
                "1.8.7",
                "6d9e454fc11f76977dc803893aff6304ed33d6a26efae8696573bea74baa27ae",
                inside="c",
            ),
        ),
        ("blake3_portable.c",),
        "void blake3_compress_in_place_portable(uint32_t cv[8], const uint8_t block[64],"
        " uint8_t block_len, uint64_t counter, uint8_t flags)",
        (
            "cv=hex:67e6096a85ae67bb72f36e3c3af54fa57f520e518c68059babd9831f19cde05b",
            *("block=zero", "block_len=0", "counter=0", "flags=11"),
        ),
        include=(".",),
        expect=("cv=hex:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",),
    ),
    Package(
        "ML-KEM-512",
        (
            Source(
                "pqclean-mlkem",
                "0.1.1",
                "crate",
                "pqcrypto-mlkem",
                "0.1.1",
                "eb14d207f3749e8a59a026c22ceaa72d70fff931cfbf4c8d9b08f3fc56dc6e60",
                inside="pqclean",
            ),
            Source(
                "pqclean-hashes",
                "0.2.11",
                "crate",
                "pqcrypto-internals",
                "0.2.11",
                "b4a326caf27cbf2ac291ca7fd56300497ba9e76a8cc6a7d95b7a18b57f22b61d",
                inside=".",
            ),
        ),
        ("crypto_kem/ml-kem-512/clean/*.c", "cfiles/fips202.c"),
        "int PQCLEAN_MLKEM512_CLEAN_crypto_kem_keypair_derand(uint8_t pk[800], uint8_t sk[1632],"
        " const uint8_t coins[64])",
        ("coins=random",),
        include=("crypto_kem/ml-kem-512/clean", "include", "common"),
        flags="-O3",
        instead={"msp430": "-O3"},
        beside=("randombytes.c",),
        hashing=True,
    ),
)


def files_of(package: Package) -> tuple[list[Path], list[Path]]:
    """The files and the folders of headers of a package; fetches it on first use."""
    folders = [
        fetch(source, lambda text: sys.stderr.write(f"{text}\n")) for source in package.sources
    ]
    files = [
        path for pattern in package.files for one in folders for path in sorted(one.glob(pattern))
    ]
    files += [LACKING / name for name in package.beside]
    include = [folder / name for name in package.include for folder in folders]
    return files, [LACKING, *(path for path in include if path.is_dir())]


def measured(package: Package) -> list[MeasureRow]:
    """One row a CPU, and whose outputs are not those of this machine: `disagreement` says so."""
    files, include = files_of(package)
    usual = [cpu for cpu in CPUS if cpu not in package.instead]
    rows: list[MeasureRow] = []
    for cpus, flags in [(usual, package.flags), *(([c], f) for c, f in package.instead.items())]:
        *found, host = wardmote.measure(
            files,
            package.call,
            args=package.args,
            expect=package.expect,
            include=include,
            flags=flags,
            cpus=[*cpus, HOST],
            runs=1,
        )
        wrong = next((row.disagreement for row in (*found, host) if row.disagreement), None)
        rows += [replace(row, disagreement=wrong) for row in found]
    return sorted(rows, key=lambda row: CPUS.index(row.cpu))


def without_hashing(package: Package, cpu: str) -> int:
    """Cycles outside the functions of the hash."""
    files, include = files_of(package)
    [profile] = wardmote.profile(
        files, package.call, args=package.args, include=include, flags=package.flags, cpus=cpu
    )
    hashing = [f.cycles for f in profile.functions if f.function.lower().startswith(HASHING)]
    return profile.cycles - sum(hashing)


def cycles(row: MeasureRow) -> str:
    """The figure, or both ends of a band."""
    if row.failure is not None:
        return "–"
    low = f"{row.cycles_median_low}–" if row.cycles_median_low is not None else ""
    return f"{low}{row.cycles_median}"


def printed(package: str, cpu: str, *, without: bool) -> str:
    """What others print for a row."""
    of = [
        one
        for one in load("packages")["figure"]
        if (one["package"], one["cpu"], one.get("without", False)) == (package, cpu, without)
    ]
    return "; ".join(
        f"{round(one['cycles'] * one.get('times', 1))}: {one['code']} ({one['source']}). {one['why']}"
        for one in of
    )


def lines(package: Package, rows: list[MeasureRow]) -> Iterator[str]:
    """The lines of one package."""
    [origin, *_] = package.sources
    what = f"{package.name}, {origin.registry} {origin.package} {origin.package_version}"
    for row in rows:
        said = printed(package.name, row.cpu, without=False)
        if row.failure is not None:
            said = f"fails: {REASON.sub('', row.failure)}"
        elif row.disagreement is not None:
            said = "outputs are wrong: not those of this machine"
        flags = package.instead.get(row.cpu, package.flags)
        yield (
            f"| {what}, `{flags}` | {row.operation} | {row.cpu} | {cycles(row)} | "
            f"{row.stack_octets or ''} | {row.flash_octets or ''} | {said} |"
        )
        if package.hashing and (said := printed(package.name, row.cpu, without=True)):
            rest = without_hashing(package, row.cpu)
            yield f"| … without hashing, slow end | | {row.cpu} | {rest} | | | {said} |"


def block(found: Mapping[str, list[MeasureRow]]) -> str:
    """The table, and where others print their figures."""
    text = [line for package in PACKAGES for line in lines(package, found[package.name])]
    sources = [
        textwrap.fill(f"* {name}: {where}", COLUMNS, subsequent_indent="  ", break_on_hyphens=False)
        for name, where in load("packages")["source"].items()
    ]
    return f"\n{HEAD}{chr(10).join(text)}\n\n{chr(10).join(sources)}\n\n"


def main() -> int:
    """Measures all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench.targets.packages")
    parser.add_argument("--page", type=Path, help="document that receives the table")
    asked = parser.parse_args()
    try:
        found = {package.name: measured(package) for package in PACKAGES}
        text = block(found)
        if asked.page is not None:
            write_page(asked.page, {MARK: text})
    except WardmoteError as error:
        sys.stderr.write(f"packages: {error}\n")
        return 2
    sys.stdout.write(text)
    return 0 if all(row.expected is not False for rows in found.values() for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
