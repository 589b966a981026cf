# SPDX-License-Identifier: BSD-3-Clause
"""`python -m wardmote.experiments FOLDER`: measures every experiment into a report folder, but
those that take minutes."""

import sys

from wardmote.cli import main
from wardmote.experiments import registered

quick = [name for name, one in registered().items() if not one.takes_minutes]
sys.exit(max((main([name, "--report", sys.argv[1]]) for name in quick), default=0))
