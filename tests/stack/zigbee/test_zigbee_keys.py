# SPDX-License-Identifier: BSD-3-Clause
"""Keys that ZigBee makes from keys, on every CPU: hashes and MACs of others and of the model, link
keys of installation codes, and what is refused."""

from __future__ import annotations

from typing import Any

from tests.stack.link.linklib import name_of
from tests.vectors import load, named
from wardmote.call import Target

HEADERS = ("zigbee_keys", "aes128", "!fix", "!both", "!decrypt", "!inverse", "ct", "skipjack")
DERIVED = {"transport": 0, "load": 2, "verify": 3}
FILL = b"\xa5" * 16


def work(target: Target) -> Any:
    """A key to work with."""
    key = target.buffer(target.pack("wm_aes128_tab_key"))
    target.call("wm_aes128_tab_init", key, bytes(16))
    return key


def made(target: Target, function: str, *arguments: Any) -> tuple[str, bytes]:
    """Status, and what was made; the work's own key is that of zeros afterwards."""
    target.reset()
    key, out = work(target), bytearray(FILL)
    before = key.read()
    status = target.call(function, key, *arguments, out).value
    assert key.read() == before
    return name_of(status), bytes(out)


def test_hashes(target: Target, stride: int) -> None:
    """AES-MMO of every length, also where the padding needs a block of its own."""
    for vector in load("zigbee", "zigbee-hash")[:: 2 * stride]:
        message = vector.octets("msg")
        if target.name != "host" and len(message) > 1024:
            continue
        with named(str(vector)):
            got = made(target, "wm_zigbee_hash", message, len(message))
            assert got == ("WM_OK", vector.octets("digest"))
    for vector in load("zigbee", "zigbee-hmac")[:: 2 * stride]:
        message = vector.octets("msg")
        with named(str(vector)):
            got = made(target, "wm_zigbee_hmac", vector.octets("key"), message, len(message))
            assert got == ("WM_OK", vector.octets("tag"))


def test_keys_of_link_keys(target: Target) -> None:
    """The key-transport key, the key-load key and the hash of Verify-Key, also in place."""
    for vector in load("zigbee", "zigbee-derived")[::4]:
        for name, which in DERIVED.items():
            with named(f"{vector}, {name}"):
                got = made(target, "wm_zigbee_derive", vector.octets("key"), which)
                assert got == ("WM_OK", vector.octets(name))
                place = bytearray(vector.octets("key"))
                assert target.call("wm_zigbee_derive", work(target), place, which, place).value == 0
                assert place == vector.octets(name)
    octets = target.buffer(bytes(16))
    target.reset()
    assert target.address_of("wm_zigbee_well_known") != 0
    assert octets is not None


def test_installation_codes(target: Target) -> None:
    """A code gives its key; one that was mistyped, or is of another length, gives none."""
    for vector in load("zigbee", "zigbee-install-code"):
        code = vector.octets("code")
        with named(str(vector)):
            key = vector.octets("key") if vector.valid else FILL
            got = made(target, "wm_zigbee_install_key", code, len(code))
            assert got == (vector.members["status"], key)
            if vector.valid:
                crc = target.call("wm_zigbee_install_crc", code, 16).value
                assert int(crc).to_bytes(2, "little") == code[16:]


def test_what_cannot_work(target: Target) -> None:
    """A cipher that was not made, one with other blocks, a message that is too long: nothing is
    written."""
    out = bytearray(FILL)
    blank = target.buffer(target.pack("wm_aes128_tab_key"))
    assert target.call("wm_zigbee_hash", blank, b"x", 1, out).value == -11
    assert target.call("wm_zigbee_hmac", blank, bytes(16), b"x", 1, out).value == -11
    other = target.buffer(target.pack("wm_skipjack_key"))
    target.call("wm_skipjack_init", other, bytes(10))
    assert target.call("wm_zigbee_derive", other, bytes(16), 0, out).value == -1
    key = work(target)
    assert target.call("wm_zigbee_hash", key, b"x", 8192, out).value == -1
    assert target.call("wm_zigbee_hmac", key, bytes(16), b"x", 8176, out).value == -1
    assert out == FILL
