# SPDX-License-Identifier: BSD-3-Clause
"""Views of rows: table, JSON, CSV, Markdown, HTML, and the answer in words. Nothing here
measures."""
