# SPDX-License-Identifier: BSD-3-Clause
"""Work that waits for other programs, such as compilers, several at a time."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def together(work: Callable[[A], B], items: Iterable[A]) -> list[B]:
    """The results of `work` for all items, in their order, by as many threads as there are cores.
    Raises the first failure in that order; items that have not begun by then are not worked on."""
    pool = ThreadPoolExecutor(max_workers=os.cpu_count())
    try:
        return list(pool.map(work, items))
    finally:
        pool.shutdown(cancel_futures=True)
