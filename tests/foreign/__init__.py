# SPDX-License-Identifier: BSD-3-Clause
"""The stack against vector files of other projects in a folder of the reader's: `make foreign
VECTORS=FOLDER`.

The files are not part of this repository; `python -m tests.foreign --help` lists those that are
understood, and whose they are.
"""
