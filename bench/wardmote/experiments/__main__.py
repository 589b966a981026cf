# SPDX-License-Identifier: BSD-3-Clause
"""`python -m wardmote.experiments FOLDER`: measures every experiment into a report folder."""

import sys

from wardmote.cli import main
from wardmote.experiments import registered

sys.exit(max((main([name, "--report", sys.argv[1]]) for name in registered()), default=0))
