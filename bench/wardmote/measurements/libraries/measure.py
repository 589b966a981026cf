# SPDX-License-Identifier: BSD-3-Clause
"""Measures AES-128 and CCM* of every library on every CPU, through `wardmote measure`."""

import dataclasses
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote import __version__
from wardmote.campaign.cases import Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.errors import WardmoteError
from wardmote.measurements.function.api import measure, measure_and_profile
from wardmote.measurements.function.build import Order, compiled_with
from wardmote.measurements.function.profile import Profile
from wardmote.measurements.libraries.executable import (
    ADAPTERS,
    EXECUTABLE,
    executable,
    order_of,
)
from wardmote.measurements.libraries.rows import (
    A_OCTETS,
    M_OCTETS,
    NONCE_OCTETS,
    OURS,
    TAG_OCTETS,
    LibraryRow,
)
from wardmote.measurements.libraries.sources import BEARSSL, LIBTOMCRYPT, MBEDTLS, Source, fetch
from wardmote.measurements.libraries.variants import ROOMY, Variant
from wardmote.paths import BUILD, ROOT, as_file

Say = Callable[[str], object]
"""Hears what is fetched."""
CALL = (
    f"void work(const uint8_t key[16], uint8_t block[16], const uint8_t nonce[{NONCE_OCTETS}], "
    f"const uint8_t a[{A_OCTETS}], uint8_t m[{M_OCTETS}], uint8_t tag[{TAG_OCTETS}])"
)
STACK = ROOT / "stack" / "src"
OURS_IN_C = ("cipher/aes128_[est]*.c", "mode/ccm.c", "util/*.c")
PARTS = ("library_key", "library_block", "library_seal")
TOMCRYPT_FLAGS = (
    "-DLTC_SOURCE -DLTC_NOTHING -DLTC_RIJNDAEL -DENCRYPT_ONLY -DLTC_CCM_MODE -DARGTYPE=3 "
    "-DLTC_NO_ASM -DLTC_NO_FAST -DENDIAN_LITTLE -DENDIAN_32BITWORD"
)


class WrongAnswerError(WardmoteError):
    """A library, as it is built here, computes something else."""


@dataclass(frozen=True, slots=True)
class Library:
    """Files of a library, and the options they are compiled with."""

    name: str
    adapter: str
    variants: tuple[Variant, ...]
    source: Source | None = None
    """None for our own library."""
    files: str = ""
    """Patterns below its folder, with spaces between."""
    include: tuple[str, ...] = ()
    flags: str = ""


LIBRARIES = (
    Library(
        OURS,
        "ours.c",
        (
            Variant("tab", "-DVARIANT=tab"),
            Variant("small", "-DVARIANT=small"),
            Variant("fix", "-DVARIANT=fix -DOWN_KEY"),
            Variant("tab, C alone", "-DVARIANT=tab", archive=False),
        ),
    ),
    Library(
        "mbedTLS",
        "mbedtls.c",
        (Variant("tables", "", ROOMY), Variant("fewer tables", "-DMBEDTLS_AES_FEWER_TABLES")),
        MBEDTLS,
        "library/aes.c library/ccm.c library/cipher.c library/cipher_wrap.c "
        "library/platform_util.c library/constant_time.c",
        ("include", "library"),
        '-DMBEDTLS_CONFIG_FILE="<mbedtls_config.h>"',
    ),
    Library(
        "BearSSL",
        "bearssl.c",
        (
            Variant("big", "-DVARIANT=big"),
            Variant("small", "-DVARIANT=small"),
            Variant("ct", "-DVARIANT=ct -DPAIRS"),
        ),
        BEARSSL,
        "src/aead/ccm.c src/symcipher/aes_[bc]*.c src/symcipher/aes_small*.c src/codec/*32*.c",
        ("inc", "src"),
    ),
    Library(
        "libtomcrypt",
        "libtomcrypt.c",
        (Variant("tables", "", ROOMY), Variant("small", "-DLTC_SMALL_CODE")),
        LIBTOMCRYPT,
        "src/ciphers/aes/aes.c src/encauth/ccm/ccm_memory.c src/misc/zeromem.c "
        "src/misc/mem_neq.c src/misc/crypt/crypt_cipher_descriptor.c "
        "src/misc/crypt/crypt_cipher_is_valid.c src/misc/crypt/crypt_register_cipher.c",
        ("src/headers",),
        TOMCRYPT_FLAGS,
    ),
)


@dataclass(frozen=True, slots=True)
class LibraryCase:
    """One variant of one library on one CPU."""

    cpu: str
    library: str
    variant: str

    @property
    def label(self) -> str:
        """Names the case."""
        return f"{self.library} {self.variant} on {self.cpu}"


def library_rows(
    libraries: Sequence[Library], cpus: Sequence[str], say: Say, runner: Runner
) -> list[LibraryRow]:
    """Rows by CPU, quickest frame first; the ratios are to the quickest of ours."""
    folders = {one.name: fetch(one.source, say) if one.source else None for one in libraries}
    wanted = {
        LibraryCase(cpu, one.name, variant.name): (one, variant)
        for one in libraries
        for variant in one.variants
        for cpu in variant.cpus
        if cpu in cpus
    }
    orders = {
        case: order_for(*built, case.cpu, folders[case.library]) for case, built in wanted.items()
    }

    def artefacts(case: LibraryCase) -> dict[str, Path]:
        return {EXECUTABLE: executable(case.cpu, orders[case])}

    found = runner.run(Campaign(figures_of, list(wanted), artefacts)).figures
    rows = [
        _row(library, case, figures, compiled_with(case.cpu, orders[case]))
        for (case, (library, _)), figures in zip(wanted.items(), found, strict=True)
    ]
    return [row for cpu in cpus for row in _compared([row for row in rows if row.cpu == cpu])]


def _compared(rows: Sequence[LibraryRow]) -> list[LibraryRow]:
    """Rows of one CPU with their ratios."""
    ours = [row for row in rows if row.library == OURS]
    block, frame = min(row.block_cycles for row in ours), min(row.frame_cycles for row in ours)
    ratios = [
        dataclasses.replace(
            row, block_ratio=row.block_cycles / block, frame_ratio=row.frame_cycles / frame
        )
        for row in rows
    ]
    return sorted(ratios, key=lambda row: row.frame_cycles)


def order_for(library: Library, variant: Variant, cpu: str, folder: Path | None) -> Order:
    """What its executable is made from; `folder` has the files of another library."""
    files = [ADAPTERS / "work.c", ADAPTERS / library.adapter, ADAPTERS / "library.h"]
    include = [ADAPTERS, ADAPTERS / "include"]
    if folder is None and variant.archive:
        files.append(BUILD / "stack" / cpu / "libwardmote.a")
    elif folder is None:
        files += [path for pattern in OURS_IN_C for path in sorted(STACK.glob(pattern))]
    else:
        patterns = library.files.split()
        files += [path for pattern in patterns for path in sorted(folder.glob(pattern))]
        include += [folder / name for name in library.include]
    return order_of(CALL, files, include, library.flags, variant.flags)


def figures_of(case: LibraryCase, artefacts: Artefacts) -> Figures:
    """Measures one case; raises WrongAnswerError if it computes something else than OpenSSL."""
    inputs, outputs = known_answer(f"{case.cpu}/libraries")
    secret = inputs | {"key": "random:secret"}
    with as_file(artefacts[EXECUTABLE]) as elf:
        (row,), (profile,) = measure_and_profile(
            elf, CALL, profiled=True, args=inputs, expect=outputs, cpus=case.cpu, runs=1
        )
        if not row.holds:
            raise WrongAnswerError(row.unexpected or "outputs differ")
        [judged] = measure(elf, CALL, args=secret, cpus=case.cpu, runs=2)
    key, block, frame = (cycles_of(profile, part) for part in PARTS)
    names = ("flash_octets", "ram_octets", "stack_octets", "compiler")
    verdicts = ("no_secret_branch", "no_secret_address")
    return {
        "key_cycles": key,
        "block_cycles": block,
        "frame_cycles": frame,
        **{name: getattr(row, name) for name in names},
        **{name: bool(getattr(judged, name)) for name in verdicts},
    }


def _row(library: Library, case: LibraryCase, figures: Figures, flags: str) -> LibraryRow:
    source = library.source
    return LibraryRow(
        **dataclasses.asdict(case),
        **figures,
        version=source.version if source else __version__,
        block_ratio=1.0,
        frame_ratio=1.0,
        flags=flags,
        source=source.origin if source else "this repository",
    )


def cycles_of(profile: Profile, function: str) -> int:
    """Cycles of a function with all it calls and its return."""
    found = next((cost for cost in profile.functions if cost.function == function), None)
    if found is None:
        raise WrongAnswerError(f"{profile.operation} on {profile.cpu} never calls {function}")
    return found.cycles_with_callees


def known_answer(seed: str) -> tuple[dict[str, str], dict[str, str]]:
    """Inputs, and the outputs that OpenSSL computes from them."""
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.aead import AESCCM
    from cryptography.hazmat.primitives.ciphers.algorithms import AES128
    from cryptography.hazmat.primitives.ciphers.modes import ECB

    draw = random.Random(seed)
    sizes = {"key": 16, "block": 16, "nonce": NONCE_OCTETS, "a": A_OCTETS, "m": M_OCTETS}
    octets = {name: draw.randbytes(size) for name, size in sizes.items()}
    block = Cipher(AES128(octets["key"]), ECB()).encryptor().update(octets["block"])
    sealed = AESCCM(octets["key"], TAG_OCTETS).encrypt(octets["nonce"], octets["m"], octets["a"])
    outputs = {"block": block, "m": sealed[:M_OCTETS], "tag": sealed[M_OCTETS:]}
    inputs = {name: f"hex:{value.hex()}" for name, value in octets.items()}
    return inputs, {name: f"hex:{value.hex()}" for name, value in outputs.items()}
