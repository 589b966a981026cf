# SPDX-License-Identifier: BSD-3-Clause
"""Several keys under one name, and replays: which key opened a frame, and why one stayed shut."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.frame.captures import frames, pcap, tap
from tests.bench.frame.command import refused, run
from tests.bench.frame.network import (
    ANSWER,
    K2,
    KEY,
    LEAF_EXT,
    ROOT_EXT,
    data_frame,
    in_clear,
    on_air,
)
from tests.model.ieee802154_model import Ash, Frame, secure

NEW, THIRD = bytes(range(16)), bytes(range(16, 32))
KEYS = ("--key", KEY, "--key", f"2:{NEW.hex()}", "--key", f"2:{THIRD.hex()}")


@pytest.mark.parametrize("counters", [True, False])
def test_every_key_is_tried(counters: bool) -> None:
    """Frames under three keys of one index all open, in any order of the keys; counters begin anew
    under each. The summary counts by key, and --each names the key."""
    order = [K2, K2, NEW, K2, THIRD, NEW, THIRD]
    some, seen = [], dict.fromkeys(order, 0)
    for place, key in enumerate(order):
        counter = seen[key] = seen[key] + 1
        frame = data_frame(bytes([place]) * 20, counter=counter if counters else None, seq=place)
        some.append((frame, on_air(frame, 100 + place, key), 100 + place))
    given = pcap(tap(octets, None if counters else asn) for _, octets, asn in some)
    names = {K2: "--key 2", NEW: "--key 2 (number 2)", THIRD: "--key 2 (number 3)"}
    done = run("unsecure", *KEYS, "--each", "--format", "json", given=given)
    assert done.code == 0, done.err
    assert frames(done.out) == [in_clear(frame) for frame, _, _ in some]
    rows = json.loads(done.err[: done.err.rindex("]") + 1])
    assert [row["key"] for row in rows] == [names[key] for key in order]
    backwards = [word for pair in zip(KEYS[-2::-2], KEYS[::-2], strict=True) for word in pair]
    again = run("unsecure", *backwards, given=given)
    assert (again.code, again.out) == (0, done.out)
    counted = "2 with --key 2, 2 with --key 2 (number 2), 3 with --key 2 (number 3)"
    assert counted in " ".join(again.err.split())


def test_the_summary_tells_why() -> None:
    """A wrong key, a replay under the old and under the new key, an old counter with a wrong MIC, a
    counter of all ones and a missing key are told apart."""
    old, new = on_air(data_frame(counter=9)), on_air(data_frame(counter=3), key=NEW)
    forged = bytes([*old[:-1], old[-1] ^ 1])
    cases = [
        (old, "SUCCESS", None),
        (new, "SUCCESS", None),
        (old, "COUNTER_ERROR", "a replay"),
        (new, "COUNTER_ERROR", "a replay"),
        (on_air(data_frame(counter=2), key=NEW), "COUNTER_ERROR", "a replay"),
        (forged, "COUNTER_ERROR", "fits no key"),
        (on_air(data_frame(counter=20), key=bytes(16)), "SECURITY_ERROR", "fits no key"),
        (on_air(data_frame(counter=0xFFFFFFFF)), "COUNTER_ERROR", "used up"),
        (
            on_air(data_frame(counter=5, index=7)),
            "UNAVAILABLE_KEY",
            "gives its key: KeyIdMode 1, index 7",
        ),
        (on_air(data_frame(counter=4), key=NEW), "SUCCESS", None),
        (on_air(data_frame(counter=10)), "SUCCESS", None),
    ]
    given = pcap(tap(octets) for octets, _, _ in cases)
    done = run("unsecure", *KEYS, "--each", "--format", "json", given=given)
    rows = json.loads(done.err[: done.err.rindex("]") + 1])
    for row, (_, status, reason) in zip(rows, cases, strict=True):
        assert row["status"] == status, row
        assert (row["reason"] is None) == (reason is None), row
        assert reason is None or reason in row["reason"], row
    assert "7 refused (1 no key, 2 wrong key, 3 replay), 4 written." in done.err
    assert len(frames(done.out)) == 4


def test_keys_of_a_file_roll_over(tmp_path: Path) -> None:
    """A file may name each key; usage of the one does not keep the other shut; the same key twice
    is refused."""
    book = tmp_path / "keys.toml"
    entry = '[[key]]\nname = "{}"\nindex = 2\noctets = "{}"\nusage = ["{}"]\n'
    book.write_text(
        entry.format("winter", K2.hex(), "beacon") + entry.format("spring", NEW.hex(), "data")
    )
    given = pcap([tap(on_air(data_frame(counter=1), key=NEW))])
    done = run("unsecure", "--keys", book, "--each", given=given)
    assert done.code == 0, done.err
    assert "1  SUCCESS                  spring" in done.err
    book.write_text(2 * entry.format("winter", K2.hex(), "data"))
    assert "winter: the same key is there twice" in refused("unsecure", "00", "--keys", book)


def test_only_one_key_of_a_name_can_secure() -> None:
    """Securing needs to know which."""
    line = refused("secure", in_clear(data_frame()).hex(), *KEYS, "--counter", "1")
    assert "of several with one name give only one" in line


def test_replays_with_an_asn() -> None:
    """A record that comes twice, or whose ASN is less than the sender's last one, is refused; other
    senders, and other keys, have ASNs of their own. --replays takes all."""
    first, later = on_air(data_frame(b"one"), 50), on_air(data_frame(b"two"), 51)
    other = secure(
        Frame(dst=LEAF_EXT, src=ROOT_EXT, ash=Ash(5, 1, None, True, b"", 2)), K2, "asn", 50
    )
    short = secure(
        Frame(dst=LEAF_EXT, src=b"\0\2", ash=Ash(5, 1, None, True, b"", 2)), K2, "asn", 50
    )
    new = on_air(data_frame(b"new"), 50, NEW)
    given = pcap(
        tap(octets, asn)
        for octets, asn in (
            (first, 50),
            (first, 50),
            (later, 51),
            (first, 50),
            (other, 50),
            (short, 50),
            (short, 50),
            (new, 50),
        )
    )
    done = run("unsecure", *KEYS, given=given)
    assert done.code == 1
    for number in (2, 4, 7):
        assert (
            f"frame {number}: COUNTER_ERROR: a replay: its MIC is right, but the sender" in done.err
        )
    assert "3 refused (3 replay), 5 written." in done.err
    assert run("unsecure", *KEYS, "--replays", given=given).code == 0
    moved = pcap([tap(first, 50), tap(first, 52)])
    assert "1 refused (1 wrong key)" in run("unsecure", *KEYS, given=moved).err


def test_an_ack_and_its_frame_share_an_asn() -> None:
    """An Enh-Ack has the ASN of the frame that it answers, but another sender, also where it names
    none; the ack twice is a replay."""
    sent = data_frame(b"?", seq=33)
    octets = secure(ANSWER, K2, "asn", 8, ROOT_EXT)
    again = replace(sent, seq=34)
    records = [tap(on_air(sent, 8), 8), tap(octets, 8), tap(on_air(again, 9), 9)]
    done = run("unsecure", "--key", KEY, given=pcap(records))
    assert done.code == 0, done.err


def test_many_senders_with_an_asn() -> None:
    """Of more senders than are remembered the last ones are not watched, and the summary says how
    many frames that are."""
    some = []
    for i in range(6146):
        frame = Frame(
            dst=ROOT_EXT, src=bytes([2, *i.to_bytes(7)]), ash=Ash(1, 1, None, True, b"", 2)
        )
        some.append(tap(secure(frame, K2, "asn", 9), 9))
    done = run("unsecure", "--key", KEY, given=pcap([*some, some[0], some[-1]]))
    assert "frame 6147: COUNTER_ERROR" in done.err
    assert "1 refused (1 replay), 6147 written." in " ".join(done.err.split())
    assert "3 frames of further senders were not watched" in " ".join(done.err.split())
