# SPDX-License-Identifier: BSD-3-Clause
"""Measures AES-128 and CCM* of every library on every CPU, through `wardmote measure`."""

import dataclasses
import os
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from wardmote.errors import WardmoteError
from wardmote.measurements.function.api import measure_and_profile
from wardmote.measurements.function.profile import Profile
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
from wardmote.paths import BUILD, ROOT

ADAPTERS = ROOT / "bench" / "libraries"
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
    """Files of a library, as patterns below its folder, and the options they are compiled with."""

    name: str
    adapter: str
    source: Source | None
    """None for our own library."""
    patterns: tuple[str, ...]
    include: tuple[str, ...]
    flags: str
    variants: tuple[Variant, ...]


LIBRARIES = (
    Library(
        OURS,
        "ours.c",
        None,
        (),
        (),
        "",
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
        MBEDTLS,
        tuple(
            f"library/{name}.c"
            for name in ("aes", "ccm", "cipher", "cipher_wrap", "platform_util", "constant_time")
        ),
        ("include", "library"),
        '-DMBEDTLS_CONFIG_FILE="<mbedtls_config.h>"',
        (Variant("tables", "", ROOMY), Variant("fewer tables", "-DMBEDTLS_AES_FEWER_TABLES")),
    ),
    Library(
        "BearSSL",
        "bearssl.c",
        BEARSSL,
        (
            "src/aead/ccm.c",
            "src/symcipher/aes_[bc]*.c",
            "src/symcipher/aes_small*.c",
            "src/codec/*32*.c",
        ),
        ("inc", "src"),
        "",
        (
            Variant("big", "-DVARIANT=big"),
            Variant("small", "-DVARIANT=small"),
            Variant("ct", "-DVARIANT=ct -DPAIRS"),
        ),
    ),
    Library(
        "libtomcrypt",
        "libtomcrypt.c",
        LIBTOMCRYPT,
        (
            *(
                "src/ciphers/aes/aes.c",
                "src/encauth/ccm/ccm_memory.c",
                "src/misc/zeromem.c",
                "src/misc/mem_neq.c",
            ),
            *(
                f"src/misc/crypt/crypt_{n}.c"
                for n in ("cipher_descriptor", "cipher_is_valid", "register_cipher")
            ),
        ),
        ("src/headers",),
        TOMCRYPT_FLAGS,
        (Variant("tables", "", ROOMY), Variant("small", "-DLTC_SMALL_CODE")),
    ),
)


def library_rows(
    libraries: Sequence[Library], cpus: Sequence[str], say: Callable[[str], object]
) -> list[LibraryRow]:
    """Rows by CPU, quickest frame first; the ratios are to the quickest of ours."""
    folders = {
        library.name: None if library.source is None else fetch(library.source, say)
        for library in libraries
    }

    def measured(asked: tuple[Library, Variant, str]) -> LibraryRow:
        library, variant, cpu = asked
        say(f"libraries: {library.name} {variant.name} on {cpu}")
        return _row(library, variant, cpu, folders[library.name])

    wanted = [
        (one, variant, cpu)
        for one in libraries
        for variant in one.variants
        for cpu in variant.cpus
        if cpu in cpus
    ]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = list(pool.map(measured, wanted))
    rows: list[LibraryRow] = []
    for cpu in cpus:
        here = [row for row in found if row.cpu == cpu]
        ours = [row for row in here if row.library == OURS]
        block, frame = min(row.block_cycles for row in ours), min(row.frame_cycles for row in ours)
        ratios = [
            dataclasses.replace(
                row, block_ratio=row.block_cycles / block, frame_ratio=row.frame_cycles / frame
            )
            for row in here
        ]
        rows += sorted(ratios, key=lambda row: row.frame_cycles)
    return rows


def _row(library: Library, variant: Variant, cpu: str, folder: Path | None) -> LibraryRow:
    files = [ADAPTERS / "work.c", ADAPTERS / library.adapter, ADAPTERS / "library.h"]
    include = [ADAPTERS, ADAPTERS / "include"]
    if folder is None and variant.archive:
        files.append(BUILD / "stack" / cpu / "libwardmote.a")
    elif folder is None:
        files += [path for pattern in OURS_IN_C for path in sorted(STACK.glob(pattern))]
    else:
        files += [path for pattern in library.patterns for path in sorted(folder.glob(pattern))]
        include += [folder / name for name in library.include]
    flags = " ".join(part for part in (library.flags, variant.flags, "-w") if part)
    inputs, outputs = known_answer(f"{cpu}/libraries")
    (row,), (profile,) = measure_and_profile(
        files,
        CALL,
        profiled=True,
        args=inputs,
        expect=outputs,
        cpus=cpu,
        runs=1,
        flags=flags,
        include=include,
    )
    if not row.holds:
        raise WrongAnswerError(f"{library.name} {variant.name} on {cpu}: {row.unexpected}")
    secret = {"key": "random:secret"} | {
        name: text for name, text in inputs.items() if name != "key"
    }
    (judged,), _ = measure_and_profile(
        files, CALL, profiled=False, args=secret, cpus=cpu, runs=2, flags=flags, include=include
    )
    key, block, frame = (cycles_of(profile, part) for part in PARTS)
    return LibraryRow(
        cpu=cpu,
        library=library.name,
        version=library.source.version if library.source else row.wardmote,
        variant=variant.name,
        key_cycles=key,
        block_cycles=block,
        frame_cycles=frame,
        block_ratio=1.0,
        frame_ratio=1.0,
        flash_octets=row.flash_octets or 0,
        ram_octets=row.ram_octets or 0,
        stack_octets=row.stack_octets or 0,
        no_secret_branch=bool(judged.no_secret_branch),
        no_secret_address=bool(judged.no_secret_address),
        compiler=row.compiler,
        flags=row.flags,
        source=library.source.origin if library.source else "this repository",
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
