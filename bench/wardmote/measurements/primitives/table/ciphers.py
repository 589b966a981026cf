# SPDX-License-Identifier: BSD-3-Clause
"""Block and stream ciphers."""

from collections.abc import Sequence

from wardmote.linked import Form
from wardmote.measurements.primitives.entry import Operation, Primitive, public, record, secret
from wardmote.measurements.primitives.table.parts import (
    AES_SCHEDULE,
    AES_VARIANTS,
    SMALL_TOO,
    init,
)


def block_cipher(
    name: str,
    variant: str,
    header: str,
    schedule: str,
    key: int,
    block: int,
    calls: Sequence[str],
    *,
    published: str = "",
    form: Form = "fast",
) -> Primitive:
    """A block cipher: expansion, encryption and, where there is a third call, decryption."""
    names = ("encrypt", "decrypt")[: len(calls) - 1]
    blocks = [
        Operation(n, (f"{call} schedule m",), restores=n == "decrypt")
        for n, call in zip(names, calls[1:], strict=True)
    ]
    return Primitive(
        name,
        variant,
        (header,),
        {"schedule": record(schedule), "key": secret(key)},
        (init(calls[0]), *blocks),
        form,
        fixed=block,
        published={"encrypt": published} if published else {},
    )


def aes() -> list[Primitive]:
    """AES-128. Decryption is an entry of its own, for few images need it; `fix` has two blocks at
    once."""
    entries = []
    for variant in AES_VARIANTS:
        expand = "wm_aes128_fix_expand" if variant == "fix" else "wm_aes128_expand"
        calls = [f"{expand} schedule key", f"wm_aes128_{variant}_encrypt"]
        entries.append(
            block_cipher(
                "aes128",
                variant,
                "aes128",
                AES_SCHEDULE[variant],
                16,
                16,
                calls,
                published="aes_block_ms.encrypt",
            )
        )
    for variant, schedule, expand in (
        ("tab", "wm_aes128_two_way", "wm_aes128_tab_expand_inverse"),
        ("small", "wm_aes128", "wm_aes128_expand"),
    ):
        one = {"schedule": record(schedule), "key": secret(16)}
        back = Operation("decrypt", (f"wm_aes128_{variant}_decrypt schedule m",))
        steps = (init(f"{expand} schedule key"), back)
        entries.append(Primitive("aes128", f"{variant} inverse", ("aes128",), one, steps, fixed=16))
    pair = {"schedule": record(AES_SCHEDULE["fix"]), "key": secret(16), "second": secret(16)}
    both = Operation("encrypt", ("wm_aes128_fix_encrypt2 schedule m second",))
    entries.append(
        Primitive(
            "aes128",
            "fix, two blocks",
            ("aes128",),
            pair,
            (init("wm_aes128_fix_expand schedule key"), both),
            fixed=16,
        )
    )
    return entries


def block_ciphers() -> list[Primitive]:
    """The others."""
    expand = "expand schedule key"
    entries = [
        block_cipher(
            "skipjack",
            variant,
            "skipjack",
            "wm_skipjack",
            10,
            8,
            (f"wm_skipjack_{expand}", f"wm_skipjack_{part}encrypt", f"wm_skipjack_{part}decrypt"),
        )
        for variant, part in (("", ""), ("small", "small_"))
    ]
    calls = (f"wm_rc5_{expand} key.len", "wm_rc5_encrypt", "wm_rc5_decrypt")
    for variant, form in SMALL_TOO:
        entries.append(block_cipher("rc5", variant, "rc5", "wm_rc5", 16, 8, calls, form=form))
    for name, header, key in (
        ("curupira1_96", "curupira1", 12),
        ("curupira1_144", "curupira1", 18),
        ("curupira1_192", "curupira1", 24),
        ("curupira2", "curupira2", 12),
    ):
        calls = (f"wm_{name}_{expand}", f"wm_{name}_encrypt", f"wm_{name}_decrypt")
        entries += [
            block_cipher(name, variant, header, f"wm_{name}", key, 12, calls, form=form)
            for variant, form in SMALL_TOO
        ]
    return entries


def stream_ciphers() -> list[Primitive]:
    """Key and initial value, then keystream taken into the message."""
    return [
        Primitive(
            name,
            variant,
            (name,),
            {"context": record(f"wm_{name}"), "key": secret(10), "iv": public(iv)},
            (
                init(f"wm_{name}_init context key iv"),
                Operation("encrypt", (f"wm_{name}_crypt context m m.len",)),
            ),
            form,
        )
        for name, iv in (("trivium", 10), ("grain_v1", 8))
        for variant, form in SMALL_TOO
    ]


def entries() -> list[Primitive]:
    """All ciphers."""
    return [*aes(), *block_ciphers(), *stream_ciphers()]
