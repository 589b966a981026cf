# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the claims of the paper on compressed IPsec are judged by: what the sub-verbs of
`wardmote ipsec` have measured on a TelosB, which the paper calls Tmote Sky.

A function that @figure registers can be called in an expression of published/ipsec_claims.toml.
"""

from typing import Any

from wardmote.study.claims.judge import ClaimRow, judged
from wardmote.study.claims.register import Figures, there
from wardmote.study.claims.rows import Judge, Rows, the

PAPER = "ipsec"
BOARD = "telosb"
WORDS: dict[str, Any] = {
    "ah": "AH XCBC",
    "ah_sha1": "AH SHA1",
    "ah_cmac": "AH CMAC",
    "esp": "ESP CTR+XCBC",
    "esp_cbc": "ESP CBC",
    "esp_ctr": "ESP CTR",
    "esp_null": "ESP NULL+XCBC",
    "esp_cbc_xcbc": "ESP CBC+XCBC",
    "esp_cbc_sha1": "ESP CBC+SHA1",
    "ah_and_esp": "AH XCBC, ESP CTR+XCBC",
    "ah_engine": "AH XCBC, engine",
    "esp_engine": "ESP CTR+XCBC, engine",
    "mic": "MIC-64",
    "enc": "ENC",
    "enc_mic": "ENC-MIC-128",
    **{word: word for word in ("none", "small", "fast")},
}
"""Names of rows. The paper's ESP in Figs. 8 to 10 encrypts and authenticates, and it does not say by
which algorithms; ours is CTR+XCBC there."""
ALIGNED = 22
"""Octets of data of which no suite pads."""
LENGTHS = (16, 32, 64, 128, 256, 512)

figure = Figures()


def ipsec_claims(rows: Rows) -> list[ClaimRow]:
    """Every claim of the paper with our verdict."""
    return judged(PAPER, figure.of(rows), WORDS)


JUDGE = Judge(PAPER, "compressed IPsec", ipsec_claims)


def on_air(rows: Rows, protection: str, data: int) -> Any:
    """The row of `overhead`."""
    return the(rows, "overhead", board=BOARD, protection=protection, data_octets=data)


@figure
def uncompressed(rows: Rows, suite: str) -> int:
    """Octets that a suite adds to a packet, without padding."""
    return int(on_air(rows, suite, ALIGNED).uncompressed_octets)


@figure
def compressed(rows: Rows, suite: str) -> int:
    """The same in a frame, in the paper's layout."""
    return int(on_air(rows, suite, ALIGNED).compressed_octets)


@figure
def of_link(rows: Rows, level: str) -> int:
    """Octets that link security adds to each frame."""
    return int(on_air(rows, level, ALIGNED).frame_octets)


@figure
def udp_longer(rows: Rows, suite: str) -> int:
    """Octets by which the UDP header is longer, because it cannot be compressed."""
    return int(on_air(rows, suite, ALIGNED).udp_octets)


@figure
def packets(rows: Rows, protection: str, data: int) -> int:
    """Octets of all frames of a datagram."""
    return int(on_air(rows, protection, data).psdu_octets)


@figure
def more_in_two(rows: Rows, protection: str) -> int:
    """Octets that are added to the shortest datagram that needs two frames in clear."""
    data = min(n for n in LENGTHS if on_air(rows, "none", n).frames >= 2)
    return int(on_air(rows, protection, data).more_octets)


@figure
def by_size(rows: Rows, protection: str) -> list[int]:
    """Octets that are added to each datagram that needs two frames or more in clear."""
    found = [n for n in LENGTHS if on_air(rows, "none", n).frames >= 2]
    return [int(on_air(rows, protection, n).more_octets) for n in found]


@figure
def below(_: Rows, less: list[float], more: list[float]) -> bool:
    """Whether each of the first is below its fellow of the others."""
    return all(one < other for one, other in zip(less, more, strict=True))


@figure
def flash_kb(rows: Rows, suite: str, form: str) -> float:
    """Thousands of octets of flash that a suite adds."""
    row = the(rows, "footprint", board=BOARD, form=form, suite=suite)
    return float(row.flash_octets / 1000)


@figure
def ram_kb(rows: Rows, suite: str, form: str) -> float:
    """Thousands of octets of RAM: tables, one key for each algorithm, and the deepest stack."""
    row = the(rows, "footprint", board=BOARD, form=form, suite=suite)
    return float((row.shared_state_octets + row.stack_octets) / 1000)


@figure
def own_ram_kb(rows: Rows, suite: str, form: str) -> float:
    """The same with a key of its own for each SA."""
    row = the(rows, "footprint", board=BOARD, form=form, suite=suite)
    return float((row.state_octets + row.stack_octets) / 1000)


@figure
def sending_uj(rows: Rows, suite: str, data: int) -> float:
    """Energy of the CPU to secure a packet, as in Fig. 7."""
    wanted = {"what": "algorithms", "protection": suite, "data_octets": data}
    return float(the(rows, "energy", board=BOARD, **wanted).energy_uj)


@figure
def sending_by_size_uj(rows: Rows, suite: str) -> list[float]:
    """The same of every length."""
    return [sending_uj(rows, suite, data) for data in LENGTHS]


@figure
def exchange_uj(rows: Rows, protection: str, data: int) -> float:
    """Energy of the CPU for a request and its answer, as in Fig. 8."""
    wanted = {"what": "exchange", "protection": protection, "data_octets": data}
    return float(the(rows, "energy", board=BOARD, **wanted).energy_uj)


@figure
def exchange_by_size_uj(rows: Rows, protection: str) -> list[float]:
    """The same of every length."""
    return [exchange_uj(rows, protection, data) for data in LENGTHS]


@figure
def listening_ms(rows: Rows, protection: str, data: int) -> float:
    """How long the radio listens with the energy of such an exchange."""
    wanted = {"what": "exchange", "protection": protection, "data_octets": data}
    return float(the(rows, "energy", board=BOARD, **wanted).listening_ms)


def over_hops(rows: Rows, protection: str, data: int, hops: int) -> Any:
    """The row of `response` with an ideal border."""
    wanted = {"protection": protection, "data_octets": data, "hops": hops, "border_baud": 0}
    return the(rows, "response", board=BOARD, **wanted)


@figure
def response_ms(rows: Rows, protection: str, data: int, hops: int) -> float:
    """From the request to the end of the answer."""
    return float(over_hops(rows, protection, data, hops).response_ms)


@figure
def response_by_size_ms(rows: Rows, protection: str) -> list[float]:
    """The same of every length, over one hop."""
    return [response_ms(rows, protection, data, 1) for data in LENGTHS]


@figure
def ipsec_ms(rows: Rows, protection: str, data: int) -> float:
    """What the last mote's CPU takes for IPsec, over one hop."""
    return float(over_hops(rows, protection, data, 1).ipsec_ms)


@figure
def added_air_ms(rows: Rows, protection: str, data: int) -> float:
    """What is added on the air, over one hop."""
    return float(over_hops(rows, protection, data, 1).added_air_ms)


@figure
def added_ms(rows: Rows, protection: str, data: int, hops: int) -> float:
    """How much of that is more than in clear."""
    return float(over_hops(rows, protection, data, hops).added_ms)


@figure
def beyond_ms(rows: Rows, protection: str, data: int, hops: int) -> float:
    """Of that, what neither the air nor radio and MAC take."""
    return float(over_hops(rows, protection, data, hops).beyond_mac_ms)


@figure
def added_part(rows: Rows, protection: str, data: int) -> float:
    """Part of the response time in clear that is added, over one hop."""
    return float(over_hops(rows, protection, data, 1).added_part)


@figure
def worst_ms(rows: Rows, data: int) -> float:
    """The most that IPsec alone adds, over all numbers of hops, by suites of the paper."""
    names = [WORDS[word] for word in ("ah", "esp", "ah_sha1", "esp_cbc_sha1")]
    return max(
        there(
            [
                float(row.added_ms)
                for row in rows.get("response", ())
                if row.board == BOARD and row.protection in names and row.border_baud == 0
                if row.data_octets == data
            ]
        )
    )
