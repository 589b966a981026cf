# SPDX-License-Identifier: BSD-3-Clause
"""`python -m wardmote` is `wardmote`."""

import sys

from wardmote.cli import main

sys.exit(main())
