# SPDX-License-Identifier: BSD-3-Clause
"""What TinySec costs, in three lines: for those who design a network."""

from wardmote.errors import NothingError
from wardmote.experiments.tinysec.network import BYTE_TIME_MS, START_SYMBOL
from wardmote.experiments.tinysec.percent import percent
from wardmote.study.claims import tinysec
from wardmote.study.claims.expression import NotMeasuredError
from wardmote.study.claims.rows import Rows
from wardmote.views.text import bullets

DATA = 24
"""Octets, as in the paper's experiments."""
HOPS = 12
FEW, MANY, MOST = 1, 6, 20
"""Senders."""


def summary(rows: Rows) -> str:
    """The three lines; raises NothingError if a verb that they need has no rows."""
    try:
        return bullets([_of_auth(rows), _of_ae(rows), _of_mote(rows)])
    except NotMeasuredError:
        raise NothingError("the summary needs rows of every verb of `wardmote tinysec`") from None


def _more(rows: Rows, mode: str) -> str:
    longer, charge = tinysec.longer_on_air(rows, mode, DATA), tinysec.charge(rows, mode, "increase")
    return f"{percent(longer)} % more time on the air, {percent(charge)} % more charge"


def _of_auth(rows: Rows) -> str:
    part = percent(tinysec.received(rows, "auth", FEW, MOST), 0)
    return (
        f"**TinySec-Auth** makes a packet with {DATA} octets of data {tinysec.more(rows, 'auth')} "
        f"octet longer: {_more(rows, 'auth')}, {tinysec.more_a_hop(rows, 'auth'):.1f} octet times "
        f"more a hop. A base receives {part} % of the packets that it receives without TinySec."
    )


def _of_ae(rows: Rows) -> str:
    many = percent(tinysec.received(rows, "ae", MANY, MOST), 0)
    as_long = percent(1 / tinysec.received(rows, "none-29", FEW, MOST))
    octets, rest = (
        percent(tinysec.charge(rows, "ae", part)) for part in ("by_octets", "by_computation")
    )
    return (
        f"**TinySec-AE** makes it {tinysec.more(rows, 'ae')} octets longer: {_more(rows, 'ae')} "
        f"(octets {octets} %, computation {rest} %), {tinysec.more_a_hop(rows, 'ae'):.1f} octet "
        f"times more a hop, {tinysec.later_ms(rows, 'ae', HOPS):.0f} ms over {HOPS} hops. With "
        f"more than {MANY - 1} senders a base receives {many} %. Length is what costs: it receives "
        f"as many AE packets as plain ones that are as long ({as_long} %)."
    )


def _of_mote(rows: Rows) -> str:
    flash, ram = (tinysec.takes(rows, "skipjack", f"{kind}_octets") for kind in ("flash", "ram"))
    return (
        f"**A Mica2** gives {flash} octets of flash and {ram} of RAM for it. An AE packet is made in "
        f"{tinysec.computing_ms(rows, 'ae'):.1f} ms while its start symbol of "
        f"{START_SYMBOL * BYTE_TIME_MS:.1f} ms is sent, so that no packet has to wait for it."
    )
