# SPDX-License-Identifier: BSD-3-Clause
"""The papers whose claims are judged by the rows of experiments."""

from wardmote.study.claims import ipsec, tinysec
from wardmote.study.claims.rows import Judge

JUDGES: tuple[Judge, ...] = (tinysec.JUDGE, ipsec.JUDGE)
