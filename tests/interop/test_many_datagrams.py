# SPDX-License-Identifier: BSD-3-Clause
"""Datagrams through the border router in bad weather, the short form."""

from tests.interop.many_datagrams import Weather
from tests.model.ipsec_model import Suite

DATAGRAMS = 600


def test_each_is_delivered_once_or_lost() -> None:
    """None altered, none twice, under every kind of harm; most arrive."""
    figures = Weather(2).run(DATAGRAMS)
    assert (figures.sent, figures.altered, figures.twice) == (DATAGRAMS, 0, 0), figures
    assert figures.restarts >= 2
    assert figures.frames_again > DATAGRAMS // 20, figures
    assert {"WM_ERR_COUNTER", "WM_ERR_SECURITY"} <= set(figures.refused), figures
    assert set(figures.answered) <= set(figures.delivered)
    assert len(figures.answered) > 0.9 * DATAGRAMS, figures
    assert figures.lost_by, "the links lost some"


def test_without_integrity_they_are_not() -> None:
    """The same weather shows what ESP without an ICV lets through: what was measured above can go
    wrong."""
    figures = Weather(2, Suite("aes_ctr")).run(200)
    assert figures.altered
    assert figures.twice
