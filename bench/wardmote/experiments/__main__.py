# SPDX-License-Identifier: BSD-3-Clause
"""`python -m wardmote.experiments FOLDER`: measures every experiment into a report folder, but
those that take minutes."""

import sys

from wardmote.cli import main
from wardmote.experiments import placed

quick = [
    [*([place.group] if place.group else []), place.verb]
    for place, one in placed().items()
    if not one.takes_minutes
]
sys.exit(max((main([*words, "--report", sys.argv[1]]) for words in quick), default=0))
