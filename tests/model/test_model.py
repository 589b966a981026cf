# SPDX-License-Identifier: BSD-3-Clause
"""The model against itself and against what was printed or computed elsewhere, before the stack is
compared with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model import ieee802154_model as model
from tests.model import ieee802154_read as reader
from tests.vectors import Vector, load

SECURED = [
    v for folder in ("link_security", "tsch") for v in load(folder) if v.type == "frame-security"
]
REFUSED = [
    v for folder in ("link_security", "tsch") for v in load(folder) if v.type == "frame-refusal"
]
ANNEX_C_KEY = bytes.fromhex("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
ANNEX_C = {
    "beacon": ("08d0842143010000000048deac020500000055cf000051525354223bc1ec841ab553", "51525354"),
    "data": ("69dc842143020000000048deac010000000048deac0405000000d43e022b", "61626364"),
    "command": (
        "2bdc842143020000000048deacffff010000000048deac060500000001d84fde529061f9c6f1",
        "ce",
    ),
}
"""IEEE 802.15.4-2006 and -2011, Annex C.2: secured frame and payload in clear."""


@pytest.mark.parametrize("name", ANNEX_C)
def test_annex_c(name: str) -> None:
    """The frames that the standard prints are read, authenticated and decrypted, and made again."""
    octets, payload = map(bytes.fromhex, ANNEX_C[name])
    frame = reader.unsecure(octets, ANNEX_C_KEY, "counter", level_4=True)
    assert frame.private_part == payload
    assert frame.src == bytes.fromhex("acde480000000001")
    assert model.secure(frame, ANNEX_C_KEY) == octets


def opened(vector: Vector, octets: bytes) -> tuple[str, bytes]:
    """Status and frame in clear."""
    form: model.NonceForm = "asn" if vector.number("nonceForm") else "counter"
    asn, src_ext = int.from_bytes(vector.octets("asn"), "big"), vector.octets("srcExt") or None
    try:
        frame = reader.unsecure(
            octets, vector.octets("key"), form, asn, src_ext, level_4=vector.number("profile") == 1
        )
    except reader.FrameError as error:
        return error.status, b""
    return "WM_OK", frame.clear()


def test_vectors() -> None:
    """Every vector opens to its frame in clear, and every refusal has the status that it must
    have."""
    assert len(SECURED) > 50
    for vector in SECURED:
        assert opened(vector, vector.octets("secured")) == ("WM_OK", vector.octets("clear")), vector
    incoming = [vector for vector in REFUSED if vector.members["direction"] == "unsecure"]
    assert len(incoming) > 20
    for vector in incoming:
        assert opened(vector, vector.octets("frame"))[0] == vector.members["status"], vector


def test_headers() -> None:
    """Every header vector is read or refused as it must be."""
    for vector in load("ieee802154", "mhr"):
        try:
            reader.read(vector.octets("frame"), on_air=bool(vector.number("air")))
            status = "WM_OK"
        except reader.FrameError as error:
            status = error.status
        assert status == vector.members["status"], vector


@given(
    st.binary(max_size=40),
    st.binary(max_size=40),
    st.sampled_from((4, 8, 16)),
    st.binary(min_size=13, max_size=13),
)
def test_ccm_star_is_ccm(a: bytes, m: bytes, mic: int, nonce: bytes) -> None:
    """The written out CCM* and OpenSSL's CCM agree, and a changed tag is refused."""
    c, tag = model.ccm_star(ANNEX_C_KEY, nonce, a, m, mic)
    assert reader.open_ccm(ANNEX_C_KEY, nonce, a, c, tag) == m
    with pytest.raises(reader.WrongMicError):
        reader.open_ccm(ANNEX_C_KEY, nonce, a, c, bytes([tag[0] ^ 1]) + tag[1:])


@given(st.binary(max_size=127), st.booleans())
def test_random_octets(octets: bytes, on_air: bool) -> None:
    """Whatever is read is written again to the octets it came from, reserved bits aside."""
    try:
        frame, mic = reader.read(octets, on_air=on_air)
    except reader.FrameError:
        return
    reserved = {0} | ({len(frame.addressing())} if frame.ash else set())
    written = frame.clear() + mic
    if not frame.header_ies:  # IE Present with no IE behind it
        reserved.add(1)
    assert len(written) == len(octets)
    assert all(
        a == b for i, (a, b) in enumerate(zip(written, octets, strict=True)) if i not in reserved
    )


def test_ies() -> None:
    """Lists of header, payload and nested IEs come apart as they were put together."""
    header = model.time_correction(-5) + model.HT1
    assert [ie.id for ie in reader.header_ies(header)] == [0x1E, reader.HT1_ID]
    beacon = model.Beacon(0x0102030405).payload()
    [mlme], rest = reader.payload_ies(
        beacon + model.payload_ie(reader.GROUP_TERMINATION, b"") + b"rest"
    )
    assert (mlme.id, rest) == (1, b"rest")
    found = [(ie.id, ie.long) for ie in reader.nested_ies(mlme.content)]
    assert found == [(0x1A, False), (0x1C, False), (0x9, True), (0x1B, False)]


@pytest.mark.parametrize("cut", [1, 3, 5])
def test_cut_ies_are_refused(cut: int) -> None:
    """A list that ends within an IE is refused."""
    octets = model.Beacon(1).payload()[:-cut]
    with pytest.raises(reader.MalformedError):
        reader.payload_ies(octets)
