# SPDX-License-Identifier: BSD-3-Clause
"""Formats rows as table, JSON, CSV, Markdown, HTML, and as an answer in words. Nothing here
measures."""
