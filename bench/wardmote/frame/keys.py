# SPDX-License-Identifier: BSD-3-Clause
"""Keys, devices and policy of a network: what a keys file or `--key` says, checked, as values.

Every refusal names the file, the field and what is possible. docs/how-do-i-read-secured-frames.md
explains the fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wardmote.errors import UsageError
from wardmote.frame.native import DEVICES, KEYS

EDITIONS = ("2015", "2012e", "2011", "2006")
NONCES = ("counter", "tsch", "as-said")
REPLAYS = ("refuse", "accept")
UNKNOWN = ("accept", "refuse")
FRAME_TYPES = ("beacon", "data", "ack", "command")
NO_SHORT = 0xFFFF
ALL_LEVELS = 0xFF
ALL_TYPES = 0xF
SHORT, EXTENDED = 2, 3
"""Addressing modes."""


class Key(NamedTuple):
    """A key, and how frames name it."""

    octets: bytes
    mode: int = 1
    key_index: int = 0
    source: bytes = bytes(8)
    """KeyIdMode 1, 2 and 3: the Key Source as on the air; mode 0: the other device's address."""
    addr_mode: int = 0
    """KeyIdMode 0."""
    pan: int = 0
    """KeyIdMode 0."""
    usage: int = ALL_TYPES
    """Set of frame types."""
    name: str = ""


class Device(NamedTuple):
    """A device that may send."""

    ext: bytes
    pan: int = 0xFFFF
    short: int = NO_SHORT
    counter: int = 0
    exempt: bool = False


class Policy(NamedTuple):
    """The levels that a frame type may have: a set; before 2015, if the set is empty, a minimum."""

    allowed: int = ALL_LEVELS
    minimum: int = 0


class Network(NamedTuple):
    """Everything that a keys file says."""

    keys: tuple[Key, ...] = ()
    devices: tuple[Device, ...] = ()
    edition: str = "2015"
    nonce: str = "as-said"
    replays: str = "refuse"
    unknown_devices: str = "accept"
    policy: tuple[Policy, ...] = (Policy(),) * 4
    pan: int = 0xFFFF
    default_key_source: bytes = bytes(8)
    coordinator_short: int = NO_SHORT
    coordinator_ext: bytes = bytes(8)
    ext: bytes | None = None
    """Extended address of a sender that neither states it nor is in the device table."""


class _Table:
    """A TOML table whose fields are taken one by one. A field that is left at the end is unknown
    and refused."""

    def __init__(self, where: str, values: Any) -> None:
        if not isinstance(values, Mapping):
            raise UsageError(f"{where}: a table is wanted, with fields such as name = value")
        self.where = where
        self.left = dict(values)
        self.known: list[str] = []

    def take(self, name: str) -> Any:
        """Takes a field: its value, or None if it is missing."""
        self.known.append(name)
        return self.left.pop(name, None)

    def refuse(self, name: str, why: str) -> UsageError:
        """An error about one field."""
        return UsageError(f"{self.where}, {name}: {why}")

    def end(self) -> None:
        """Nothing else is there."""
        for name in self.left:
            raise UsageError(
                f"{self.where}: no field {name!r}: possible are {', '.join(self.known)}"
            )

    def word(self, name: str, possible: Sequence[str], default: str) -> str:
        """One of several words."""
        value = self.take(name)
        if value is None:
            return default
        if value not in possible or not isinstance(value, str):
            raise self.refuse(
                name, f"{value!r} is not possible: possible are {', '.join(possible)}"
            )
        return value

    def number(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number in a range."""
        value = self.take(name)
        if value is None and default is not None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            said = "it is missing" if value is None else f"{value!r} is not possible"
            raise self.refuse(name, f"{said}: a number from {least} to {most} is wanted")
        return value

    def octets(self, name: str, length: int, default: bytes | None = None) -> bytes:
        """Reads octets from hex digits; ignores spaces, colons and dashes."""
        value = self.take(name)
        if value is None and default is not None:
            return default
        found = hex_octets(value) if isinstance(value, str) else None
        if found is None or len(found) != length:
            said = "it is missing" if value is None else f"{_shown(value, found)} is not possible"
            raise self.refuse(
                name, f"{said}: {2 * length} hex digits ({length} octets) in quotes are wanted"
            )
        return found

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.refuse(name, f"{value!r} is not possible: possible are true, false")
        return value


def _shown(value: Any, found: bytes | None) -> str:
    """Describes a refused value. The octets of a key are counted, never printed."""
    if found is not None:
        return f"a value of {len(found)} octets"
    return "what stands there" if isinstance(value, str) else repr(value)


def hex_octets(text: str) -> bytes | None:
    """Reads octets from hex digits; None if the text is something else."""
    digits = text.translate({ord(mark): None for mark in " :-"})
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return None


def short_form(text: str) -> Key:
    """`INDEX:KEY` with KeyIdMode 1, `SOURCE:INDEX:KEY` with mode 2 or 3 by the length of the
    source."""
    parts = text.split(":")
    wanted = "write INDEX:KEY or SOURCE:INDEX:KEY, such as 1:00112233445566778899aabbccddeeff"
    if len(parts) not in (2, 3):
        raise UsageError(f"--key has {len(parts)} parts: {wanted}")
    *source, index, octets = parts
    if not (index.isascii() and index.isdecimal()) or not 1 <= int(index) <= 255:
        raise UsageError(f"--key: no KeyIndex {index!r}: possible are 1 to 255; {wanted}")
    found = hex_octets(octets)
    if found is None or len(found) != 16:
        raise UsageError(f"--key {index}: the key is not 32 hex digits (16 octets): {wanted}")
    key = Key(found, key_index=int(index), name=f"--key {index}")
    if not source:
        return key
    origin = hex_octets(source[0])
    if origin is None or len(origin) not in (4, 8):
        raise UsageError(
            f"--key: no Key Source {source[0]!r}: 8 hex digits (KeyIdMode 2) or 16 (mode 3) are "
            "possible"
        )
    return key._replace(
        mode=2 if len(origin) == 4 else 3, source=origin.ljust(8, b"\0"), name=f"--key {text[:25]}"
    )


def read_network(path: str | None, short: Sequence[str]) -> Network:
    """Reads a keys file; the keys of `--key` follow those of the file."""
    network = Network() if path is None else _read_file(path)
    added = tuple(
        short_form(text)._replace(source=network.default_key_source)
        for text in short
        if text.count(":") < 2
    )
    added += tuple(short_form(text) for text in short if text.count(":") >= 2)
    keys = network.keys + added
    _refuse_twice(keys, path or "--key")
    if len(keys) > KEYS:
        raise UsageError(f"{len(keys)} keys: at most {KEYS} are possible")
    return network._replace(keys=_told_apart(keys))


def _read_file(path: str) -> Network:
    import tomllib

    try:
        with open(path, encoding="utf-8") as file:
            values = tomllib.loads(file.read())
    except OSError as error:
        raise UsageError(f"keys file {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"keys file {path}: it is no text in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"keys file {path}: {error}") from error
    return _network(_Table(path, values))


def _network(table: _Table) -> Network:
    edition = table.word("edition", EDITIONS[::-1], "2015")
    nonce = table.word("nonce", NONCES, "as-said" if EDITIONS.index(edition) <= 1 else "counter")
    if nonce != "counter" and EDITIONS.index(edition) > 1:
        raise table.refuse("nonce", f"edition {edition} knows counter only")
    devices = _devices(table)
    replays = table.word("replays", REPLAYS, "refuse")
    unknown = table.word("unknown_devices", UNKNOWN, "refuse" if devices else "accept")
    own = _Table(f"{table.where}, [network]", table.take("network") or {})
    network = Network(
        devices=devices,
        edition=edition,
        nonce=nonce,
        replays=replays,
        unknown_devices=unknown,
        policy=_policy(table, edition),
        pan=_pan(own, "pan", b"\xff\xff"),
        default_key_source=own.octets("default_key_source", 8, bytes(8)),
        coordinator_short=int.from_bytes(own.octets("coordinator_short", 2, b"\xff\xff")),
        coordinator_ext=own.octets("coordinator_ext", 8, bytes(8)),
        ext=own.octets("ext", 8, b"") or None,
    )
    own.end()
    keys = _each(table, "key")
    network = network._replace(keys=tuple(_key(one, network) for one in keys))
    table.end()
    return network


def _each(table: _Table, name: str) -> list[_Table]:
    """The tables of an array of tables."""
    values = table.take(name)
    if values is None:
        return []
    if not isinstance(values, list):
        raise table.refuse(name, f"write [[{name}]], with two brackets, above its fields")
    return [
        _Table(f"{table.where}, [[{name}]] number {i}", one)
        for i, one in enumerate(values, start=1)
    ]


def _pan(table: _Table, name: str, default: bytes | None = None) -> int:
    return int.from_bytes(table.octets(name, 2, default))


def _key(table: _Table, network: Network) -> Key:
    name = table.take("name")
    if name is not None and not isinstance(name, str):
        raise table.refuse("name", "a text in quotes is wanted")
    octets = table.octets("octets", 16)
    mode = table.number("mode", 0, 3, 1)
    addr_mode, pan = 0, 0
    index = table.number("index", 1, 255) if mode else 0
    if mode == 0:
        other = _Table(f"{table.where}, device", table.take("device"))
        pan = _pan(other, "pan")
        addr_mode = SHORT if "short" in other.left else EXTENDED
        source = other.octets("short", 2) if addr_mode == SHORT else other.octets("ext", 8)
        other.end()
    else:
        source = (
            network.default_key_source
            if mode == 1
            else table.octets("source", 4 if mode == 2 else 8)
        )
    usage = _types(table)
    table.end()
    return Key(
        octets,
        mode,
        index,
        source.ljust(8, b"\0"),
        addr_mode,
        pan,
        usage,
        name or _call(mode, index, source),
    )


def _call(mode: int, index: int, source: bytes) -> str:
    """Names a key that has no name after what frames call it."""
    if mode == 0:
        return f"mode 0, device {source.hex()}"
    return f"mode {mode}, index {index}" + (f", source {source.hex()}" if mode > 1 else "")


def _types(table: _Table) -> int:
    """Takes a set of frame types; all of them if the field is missing."""
    values = table.take("usage")
    if values is None:
        return ALL_TYPES
    if not isinstance(values, list) or not all(value in FRAME_TYPES for value in values):
        raise table.refuse(
            "usage", f"{values!r} is not possible: write a list of {', '.join(FRAME_TYPES)}"
        )
    return sum(1 << FRAME_TYPES.index(value) for value in set(values))


def _devices(table: _Table) -> tuple[Device, ...]:
    devices: list[Device] = []
    for one in _each(table, "device"):
        short = int.from_bytes(one.octets("short", 2, b"\xff\xff"))
        pan = _pan(one, "pan", None if short < NO_SHORT - 1 else b"\xff\xff")
        ext = one.octets("ext", 8)
        devices.append(
            Device(
                ext, pan, short, one.number("counter", 0, 2**32 - 1, 0), one.flag("exempt", False)
            )
        )
        one.end()
        if any(
            d.pan == pan and (d.ext == ext or d.short == short < NO_SHORT - 1) for d in devices[:-1]
        ):
            raise UsageError(
                f"{one.where}: its ext or short is another's in the same pan already: which is "
                "meant?"
            )
    if len(devices) > DEVICES:
        raise UsageError(f"{table.where}: {len(devices)} devices: at most {DEVICES} are possible")
    return tuple(devices)


def _policy(table: _Table, edition: str) -> tuple[Policy, ...]:
    """Takes the levels of each frame type. A list is the set of allowed levels; a number (before
    2015) is the minimum."""
    levels = _Table(f"{table.where}, [levels]", table.take("levels") or {})
    policy = [Policy() if edition != "2006" else Policy(0, 0) for _ in FRAME_TYPES]
    for place, name in enumerate(FRAME_TYPES):
        value = levels.take(name)
        if value is None:
            continue
        if _is_level(value) and edition != "2015":
            policy[place] = Policy(0, value)
        elif (
            isinstance(value, list)
            and value
            and all(_is_level(one) for one in value)
            and edition != "2006"
        ):
            policy[place] = Policy(sum(1 << one for one in set(value)))
        else:
            wanted = {
                "2006": "the least level, 0 to 7",
                "2015": "a list of levels from 0 to 7, such as [0, 5]",
            }
            raise levels.refuse(
                name,
                f"{value!r} is not possible: "
                f"{wanted.get(edition, 'a list of levels, or the least, 0 to 7')}",
            )
    levels.end()
    return tuple(policy)


def _is_level(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 7


def _refuse_twice(keys: Sequence[Key], where: str) -> None:
    """Several keys may share a name; the same key may not come twice under it."""
    seen: set[tuple[int, int, bytes, int, int, bytes]] = set()
    for key in keys:
        called = (key.mode, key.key_index, key.source, key.addr_mode, key.pan, key.octets)
        if called in seen:
            raise UsageError(f"{where}: {key.name}: the same key is there twice, under one name")
        seen.add(called)


def _told_apart(keys: Sequence[Key]) -> tuple[Key, ...]:
    """Numbers keys that are called the same in the summary."""
    named: dict[str, int] = {}
    told = []
    for key in keys:
        named[key.name] = number = named.get(key.name, 0) + 1
        told.append(key if number == 1 else key._replace(name=f"{key.name} (number {number})"))
    return tuple(told)
