# SPDX-License-Identifier: BSD-3-Clause
"""The engines by the names that the command line gives them."""

import importlib.util

from wardmote.campaign.engine import Engine
from wardmote.campaign.local import Local
from wardmote.errors import UsageError

LOCAL, DASK = "local", "dask"


def engine_of(text: str, jobs: int) -> Engine:
    """`local`, `dask` or `dask:ADDRESS`; raises UsageError if it cannot be had."""
    name, _, address = text.partition(":")
    if text == LOCAL:
        return Local(jobs)
    if name != DASK or (not address and text != DASK):
        raise UsageError(f"no engine {text!r}: possible are local, dask, dask:ADDRESS")
    if importlib.util.find_spec("distributed") is None:
        raise UsageError("engine dask needs more packages: pip install 'wardmote[dask]'")
    from wardmote.campaign.on_dask import Dask

    return Dask(address or None, jobs)
