# SPDX-License-Identifier: BSD-3-Clause
"""Calls that would be insecure do not compile, each with the diagnostic that says why, and the call
that was meant does."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

COMPILERS = ("gcc", "clang-22")
HEADERS = ("aes128", "ccm", "cmac", "ct", "ocb3", "rc5", "xcbc_mac")
BEFORE = """
static const uint8_t octets[16], nonce[13];
static uint8_t m[16], tag[8];
static wm_aes128_tab_key tab;
static wm_aes128_fix_key fix;
"""


@dataclass(frozen=True, slots=True)
class Misuse:
    """A statement that must not compile, words of the diagnostic, and what was meant."""

    wrong: str
    says: tuple[str, ...]
    meant: str


POINTER, MEMBER = ("incompatible pointer type", "incompatible-pointer-types"), ("no member named",)
MISUSES = {
    "a key of one cipher made as another's": Misuse(
        "wm_aes128_fix_init(&tab, octets);", POINTER, "wm_aes128_fix_init(&fix, octets);"
    ),
    "a key of one cipher, and the descriptor of another": Misuse(
        "return wm_ccm_seal(&wm_aes128_fix, &tab, nonce, 0, 0, m, 16, tag, 8);",
        ("undeclared",),
        "return wm_ccm_seal(&tab.cipher, nonce, 0, 0, m, 16, tag, 8);",
    ),
    "an expanded key that is bound to no cipher": Misuse(
        "wm_aes128 raw; wm_aes128_expand(&raw, octets);"
        "return wm_ccm_seal(&raw, nonce, 0, 0, m, 16, tag, 8);",
        POINTER,
        "wm_aes128_tab_init(&tab, octets);"
        "return wm_ccm_seal(&tab.cipher, nonce, 0, 0, m, 16, tag, 8);",
    ),
    "octets as a key": Misuse(
        "return wm_ccm_seal(octets, nonce, 0, 0, m, 16, tag, 8);",
        POINTER,
        "return wm_ccm_seal(&fix.cipher, nonce, 0, 0, m, 16, tag, 8);",
    ),
    "a mode's key where a cipher's is meant": Misuse(
        "wm_cmac_key of_cmac; wm_ocb3_key key; return wm_ocb3_derive(&key, &of_cmac);",
        POINTER,
        "wm_ocb3_key key; return wm_ocb3_derive(&key, &tab.cipher);",
    ),
    "XCBC-MAC with a key of the caller's": Misuse(
        "wm_xcbc_mac_key key = {0}; key.k1 = &tab; return key.cipher == 0;",
        MEMBER,
        "wm_xcbc_mac_key key = {0}; return wm_xcbc_mac_derive(&key, &tab.cipher);",
    ),
    "XCBC-MAC from a key that cannot become one of K1": Misuse(
        "static const wm_aes128_tab_key flash; wm_xcbc_mac_key key;"
        "return wm_xcbc_mac_derive(&key, &flash.cipher);",
        ("discards",),
        "wm_xcbc_mac_key key; return wm_xcbc_mac_derive(&key, &tab.cipher);",
    ),
    "decryption with a key that only encrypts": Misuse(
        "wm_block128 block = {{0}}; wm_aes128_tab_decrypt(&tab.schedule, &block);",
        POINTER,
        "wm_block128 block = {{0}}; static wm_aes128_tab_both_key both;"
        "wm_aes128_tab_decrypt(&both.schedule, &block);",
    ),
    "a status that nobody looks at": Misuse(
        "wm_ccm_seal(&tab.cipher, nonce, 0, 0, m, 16, tag, 8);",
        ("unused-result",),
        "return wm_ccm_seal(&tab.cipher, nonce, 0, 0, m, 16, tag, 8);",
    ),
    "a mode that was begun with no look at the answer": Misuse(
        "wm_cmac_key key; wm_cmac_derive(&key, &tab.cipher);",
        ("unused-result",),
        "wm_cmac_key key; return wm_cmac_derive(&key, &tab.cipher);",
    ),
}


def compiled(compiler: str, alone: Path, statement: str) -> str:
    """The compiler's words about a function of this statement; none if it takes it."""
    includes = "".join(f"#include <wardmote/{name}.h>\n" for name in HEADERS)
    text = f"{includes}{BEFORE}int used(void);\nint used(void)\n{{\n{statement}\nreturn 0;\n}}\n"
    command = (compiler, "-std=c11", "-Werror", "-Wno-unused", f"-I{alone / 'include'}")
    return subprocess.run(
        (*command, "-Wunused-result", "-x", "c", "-c", "-o", "/dev/null", "-"),
        input=text,
        capture_output=True,
        text=True,
        check=False,
    ).stderr


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", MISUSES)
def test_what_must_not_compile(alone: Path, name: str, compiler: str) -> None:
    """The wrong statement is refused with the right words; the one that was meant is taken."""
    misuse = MISUSES[name]
    refused = compiled(compiler, alone, misuse.wrong)
    assert any(words in refused for words in misuse.says), refused
    assert compiled(compiler, alone, misuse.meant) == ""
