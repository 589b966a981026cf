# SPDX-License-Identifier: BSD-3-Clause
"""Random frames of 10 to 2 047 octets in captures of every link type: all open with `wardmote frame
unsecure`, none with a bit of the keys changed, and tshark agrees where it can."""

import subprocess
from pathlib import Path

import pytest

from tests.bench.frame import generated
from tests.bench.frame.captures import pcap, records
from tests.bench.frame.command import run
from tests.bench.frame.generated import FIRST_ASN, KEYS, Made, keys_file
from tests.bench.frame.link_types import LINKS, Link, capture_of, tap_full
from tests.bench.frame.test_link_types import options, tshark_options
from tests.bench.frame.test_tshark import Oracle

COUNT = 50
"""Frames of each link type."""
SHORT = 4
"""Octets of the shortest payload that tshark is asked for."""


def made(name: str, *, asns: bool = True) -> tuple[Link, list[Made]]:
    """The frames of a link type; always the same."""
    link = LINKS[name]
    return link, list(generated.frames(len(name) * 1000, COUNT, link.most, asns=asns))


@pytest.mark.parametrize("name", LINKS)
def test_all_open_and_none_with_another_key(name: str, tmp_path: Path) -> None:
    """Each frame comes out as the model had it before securing; with one bit of every key changed
    each is refused for its wrong key."""
    link, some = made(name)
    given = capture_of(link, [one.on_air for one in some])
    right, wrong = tmp_path / "right.toml", tmp_path / "wrong.toml"
    right.write_text(keys_file())
    wrong.write_text(keys_file(flipped=len(name) * 7 % 128))
    words = ("--asn", str(FIRST_ASN), *options(link))
    done = run("unsecure", "--keys", right, *words, given=given)
    assert done.code == 0, done.err
    written = [octets for _, _, octets in records(done.out)]
    if link.in_packets:
        for octets, one in zip(written, some, strict=True):
            head = int.from_bytes(octets[2:4], "little")
            assert octets[head : head + len(one.clear)] == one.clear
    else:
        assert written == [link.wrap(one.clear) for one in some]
    done = run("unsecure", "--keys", wrong, *words, given=given)
    assert done.code == 1
    assert records(done.out) == []
    assert f"{COUNT} refused ({COUNT} wrong key), 0 written." in " ".join(done.err.split())


def test_there_is_every_kind() -> None:
    """Over all link types there are the shortest and the longest frames, every level, both forms of
    nonce and a payload behind IEs."""
    every = [one for name in LINKS for one in made(name)[1]]
    assert {one.level for one in every} == set(generated.LEVELS)
    assert {one.by_asn for one in every} == {True, False}
    assert max(len(one.on_air) for one in every) == generated.LONGEST - 2
    assert min(len(one.on_air) for one in every) < 40
    assert any(one.payload and len(one.payload) < len(one.clear) - 100 for one in every)


def decrypted(program: str, path: Path, *more: str) -> list[list[str]]:
    """What tshark shows of the payload of each frame."""
    command = [program, "-r", str(path), "-T", "fields", "-e", "data.data", *more]
    for name, keys in KEYS.items():
        for key in keys:
            command += ["-o", f'uat:ieee802154_keys:"{key.hex()}","{name.key_index}","No hash"']
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split(",") for line in done.stdout.splitlines()]


def agrees(some: list[Made], shown: list[list[str]]) -> None:
    """Every payload is shown. tshark takes very short ones for protocols of their own, and it
    cannot be told the PAN of a frame that carries none."""
    asked = 0
    for one, payloads in zip(some, shown, strict=True):
        can = len(one.payload) >= SHORT and one.says_pan
        assert not can or one.payload.hex() in payloads, one
        asked += can
    assert asked > len(some) // 2


@pytest.mark.parametrize("name", [name for name, link in LINKS.items() if link.tshark])
def test_tshark_agrees(name: str, oracle: Oracle, tmp_path: Path) -> None:
    """tshark shows the same payloads. It cannot be told an ASN, so these frames have counters."""
    program = oracle("tshark")
    link, some = made(name, asns=False)
    path = tmp_path / "c.pcap"
    path.write_bytes(capture_of(link, [one.on_air for one in some]))
    agrees(some, decrypted(program, path, *tshark_options(link)))


def test_tshark_agrees_with_the_asn_of_tap(oracle: Oracle, tmp_path: Path) -> None:
    """Where the capture says the ASN, tshark also shows payloads whose nonce is that of TSCH, up to
    the longest frame with an FCS of four octets."""
    program, path = oracle("tshark"), tmp_path / "c.pcap"
    some = list(generated.frames(7, 2 * COUNT, 2043, asns=True))
    path.write_bytes(pcap(tap_full(one.on_air, 2, FIRST_ASN + i) for i, one in enumerate(some)))
    book = tmp_path / "keys.toml"
    book.write_text(keys_file())
    assert run("unsecure", path, "--keys", book, "-o", tmp_path / "o.pcap").code == 0
    assert sum(one.by_asn for one in some) > COUNT // 2
    agrees(some, decrypted(program, path))
