# SPDX-License-Identifier: BSD-3-Clause
"""What encrypts and does not authenticate."""

from wardmote.primitives.entry import Operation, Primitive, public, record, secret
from wardmote.primitives.table.parts import AES_KEY, AES_VARIANTS, aes_expand, init


def modes() -> list[Primitive]:
    """What encrypts and does not authenticate. `fix` has no inverse, so CBC over it only encrypts."""
    entries = []
    for variant in AES_VARIANTS:
        keyed = {"schedule": record(AES_KEY[variant]), "key": secret(16), "iv": public(16), "iv_again": public(16)}
        forward, inverse = f"&wm_aes128_{variant}_forward", "&wm_aes128_small_inverse"
        for name, call, least in (("cbc", "cbc", 0), ("cbc_cs3", "cbc_cs3", 16)):
            steps = [Operation("encrypt", (f"wm_{call}_encrypt {forward} schedule iv m m.len",))]
            if variant != "fix":
                decrypt = f"wm_{call}_decrypt {inverse} schedule iv_again m m.len"
                steps.append(Operation("decrypt", (decrypt,), restores=True))
            printed = ("init", "encrypt", "decrypt") if name == "cbc" else ()
            entries.append(
                Primitive(
                    name,
                    f"aes128-{variant}",
                    ("cbc", "cipher_function"),
                    "blockmodes",
                    keyed,
                    (init(aes_expand(variant)), *steps),
                    granule=16 if name == "cbc" else 1,
                    least=least,
                    published={n: f"cipher_mode_16_bytes_ms.aes_cbc.{n}" for n in printed},
                )
            )
        values = {
            "schedule": record(AES_KEY[variant]),
            "key": secret(16),
            "iv": public(16),
            "context": record("wm_ctr"),
        }
        entries.append(
            Primitive(
                "ctr",
                f"aes128-{variant}",
                ("ctr", "cipher_function"),
                "blockmodes",
                values,
                (
                    init(aes_expand(variant), f"wm_ctr_init context {forward} schedule iv"),
                    Operation("encrypt", ("wm_ctr_crypt context m m.len",)),
                ),
                published={n: f"cipher_mode_16_bytes_ms.aes_ctr.{n}" for n in ("init", "encrypt")},
            )
        )
    return entries
