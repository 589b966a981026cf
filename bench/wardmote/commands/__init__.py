# SPDX-License-Identifier: BSD-3-Clause
"""The verbs of the command line: options in, experiments run, views out."""
