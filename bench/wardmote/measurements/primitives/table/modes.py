# SPDX-License-Identifier: BSD-3-Clause
"""Modes that encrypt and do not authenticate."""

from wardmote.measurements.primitives.entry import Operation, Primitive, public, record
from wardmote.measurements.primitives.table.parts import (
    AES_VARIANTS,
    SHORTER,
    Shorter,
    aes_init,
    aes_values,
    init,
)


def over(cipher: Shorter) -> list[Primitive]:
    """CBC, CBC-CS3 and CTR over a cipher with shorter blocks."""
    b = cipher.block_octets
    keyed = cipher.values | {"iv": public(b), "iv_again": public(b)}
    entries = []
    for name, granule, least in (("cbc", b, 0), ("cbc_cs3", 1, b)):
        encrypt = f"wm_{name}_encrypt cipher iv m m.len"
        decrypt = f"wm_{name}_decrypt cipher iv_again m m.len"
        steps = Operation("encrypt", (encrypt,)), Operation("decrypt", (decrypt,), restores=True)
        both = (init(cipher.init("_both")), *steps)
        entries.append(
            Primitive(name, cipher.name, ("cbc",), keyed, both, granule=granule, least=least)
        )
    values = cipher.values | {"iv": public(b), "context": record("wm_ctr")}
    begin = init(cipher.init(), "wm_ctr_init context cipher iv")
    operations = (begin, Operation("encrypt", ("wm_ctr_crypt context m m.len",)))
    return [*entries, Primitive("ctr", cipher.name, ("ctr",), values, operations)]


def entries() -> list[Primitive]:
    """Modes that encrypt and do not authenticate. The variant `fix` has no inverse, so CBC over it
    only encrypts."""
    entries = []
    for variant in AES_VARIANTS:
        keyed = aes_values(variant, "_both") | {"iv": public(16), "iv_again": public(16)}
        for name, call, least in (("cbc", "cbc", 0), ("cbc_cs3", "cbc_cs3", 16)):
            steps = [Operation("encrypt", (f"wm_{call}_encrypt cipher iv m m.len",))]
            if variant != "fix":
                decrypt = f"wm_{call}_decrypt cipher iv_again m m.len"
                steps.append(Operation("decrypt", (decrypt,), restores=True))
            printed = ("init", "encrypt", "decrypt") if name == "cbc" else ()
            entries.append(
                Primitive(
                    name,
                    f"aes128-{variant}",
                    ("cbc",),
                    keyed,
                    (init(aes_init(variant, "_both")), *steps),
                    granule=16 if name == "cbc" else 1,
                    least=least,
                    published={n: f"cipher_mode_16_bytes_ms.aes_cbc.{n}" for n in printed},
                )
            )
        values = aes_values(variant) | {"iv": public(16), "context": record("wm_ctr")}
        entries.append(
            Primitive(
                "ctr",
                f"aes128-{variant}",
                ("ctr",),
                values,
                (
                    init(aes_init(variant), "wm_ctr_init context cipher iv"),
                    Operation("encrypt", ("wm_ctr_crypt context m m.len",)),
                ),
                published={n: f"cipher_mode_16_bytes_ms.aes_ctr.{n}" for n in ("init", "encrypt")},
            )
        )
    return entries + [entry for cipher in SHORTER for entry in over(cipher)]
