# SPDX-License-Identifier: BSD-3-Clause
"""Measures AES-128 and CCM* of every library on every CPU, through `wardmote measure`."""

import dataclasses
import random
from collections.abc import Sequence

from wardmote.campaign.cases import Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.measurements.function.api import measure, measure_and_profile
from wardmote.measurements.function.build import compiled_with
from wardmote.measurements.libraries import kinds
from wardmote.measurements.libraries.attempts import (
    EXECUTABLE,
    LibraryCase,
    Say,
    WrongAnswerError,
    attempts_of,
    cycles_of,
)
from wardmote.measurements.libraries.builds import Build
from wardmote.measurements.libraries.rows import (
    A_OCTETS,
    M_OCTETS,
    NONCE_OCTETS,
    OURS,
    TAG_OCTETS,
    LibraryRow,
)
from wardmote.paths import as_file

PARTS = (*kinds.PARTS, "library_seal")


def library_rows(
    libraries: Sequence[Build], cpus: Sequence[str], say: Say, runner: Runner
) -> list[LibraryRow]:
    """Rows by CPU, quickest frame first; the ratios are to the quickest of ours."""
    wanted = attempts_of(libraries, cpus, say)
    by_label = {one.case.label: one for one in wanted}
    cases = [one.case for one in wanted]
    made = Campaign(figures_of, cases, lambda case: {EXECUTABLE: by_label[case.label].executable()})
    found = runner.run(made).figures
    rows = [
        LibraryRow(
            **one.facts,
            **figures,
            block_ratio=1.0,
            frame_ratio=1.0,
            flags=compiled_with(one.cpu, one.order),
        )
        for one, figures in zip(wanted, found, strict=True)
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


def figures_of(case: LibraryCase, artefacts: Artefacts) -> Figures:
    """Measures one case; raises WrongAnswerError if it computes something else than OpenSSL."""
    inputs, outputs = known_answer(f"{case.cpu}/libraries")
    secret = inputs | {"key": "random:secret"}
    with as_file(artefacts[EXECUTABLE]) as elf:
        (row,), (profile,) = measure_and_profile(
            elf,
            case.primitive.kind.call,
            profiled=True,
            args=inputs,
            expect=outputs,
            cpus=case.cpu,
            runs=1,
        )
        if not row.holds:
            raise WrongAnswerError(row.unexpected or "outputs differ")
        [judged] = measure(elf, case.primitive.kind.call, args=secret, cpus=case.cpu, runs=2)
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
