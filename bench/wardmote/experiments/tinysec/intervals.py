# SPDX-License-Identifier: BSD-3-Clause
"""Means with their confidence intervals over seeds."""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

T_975 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""Quantiles of Student's distribution for 95 %, with 1 to 30 degrees of freedom."""
T_975_ABOVE = {120: 1.980, 60: 2.000, 40: 2.021, 30: 2.042}
"""The same from so many on, never too small: that of the least number."""


class Interval(NamedTuple):
    """A mean, and by how much the true one may differ from it with 95 %."""

    mean: float
    half: float | None
    """None: a single value tells nothing about it."""

    def text(self, digits: int) -> str:
        """The mean, and the half interval behind ±."""
        half = "" if self.half is None else f" ± {self.half:.{digits}f}"
        return f"{self.mean:.{digits}f}{half}"


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent values."""
    mean, more = fmean(values), len(values) - 1
    if more == 0:
        return Interval(mean, None)
    return Interval(mean, student(more) * stdev(values) / math.sqrt(len(values)))


def student(freedom: int) -> float:
    """The quantile for 95 % with so many degrees of freedom."""
    if freedom <= len(T_975):
        return T_975[freedom - 1]
    return next(t for least, t in T_975_ABOVE.items() if least <= freedom)


def paired(values: Sequence[float], beside: Sequence[float]) -> Interval:
    """The ratio of values of the same seeds: the mean of the ratios."""
    return interval([one / other for one, other in zip(values, beside, strict=True)])


def paired_sums(values: Iterable[Sequence[float]], beside: Iterable[Sequence[float]]) -> Interval:
    """The same of sums: each of these has a value for every seed."""
    own, other = ([sum(each) for each in zip(*those, strict=True)] for those in (values, beside))
    return paired(own, other)


def differences(values: Sequence[float], beside: Sequence[float]) -> Interval:
    """The difference of values of the same seeds."""
    return interval([one - other for one, other in zip(values, beside, strict=True)])
