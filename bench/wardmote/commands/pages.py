# SPDX-License-Identifier: BSD-3-Clause
"""Shows the pages of a report in a browser: from the folder, or over a server on this machine."""

import sys
import webbrowser
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any

from wardmote.commands.records import option
from wardmote.errors import OutputError, UsageError
from wardmote.views.html import PAGE

HOST = "127.0.0.1"
PORT, MOST_PORT = 8000, 65_535


@dataclass(frozen=True, slots=True)
class Pages:
    """Whether and how the pages are shown."""

    open_: Annotated[
        bool, option("Open the pages of the report in a browser instead.", name="--open")
    ] = False
    serve: Annotated[
        bool,
        option("Serve the pages to browsers on this machine, until Ctrl-C.", name="--serve"),
    ] = False
    port: Annotated[int, option("Port of --serve; 0: any free one.")] = PORT

    def show(self, folder: Path) -> bool:
        """Shows the pages; False if nobody asked."""
        if self.port != PORT and not self.serve:
            raise UsageError("--port is that of --serve: give both")
        if self.serve:
            serve(folder, self.port, opens=self.open_)
        elif self.open_:
            open_page(page_of(folder).as_uri())
        return self.serve or self.open_


def page_of(folder: Path) -> Path:
    """The first page of a report; raises UsageError if the folder has none."""
    page = folder / PAGE
    if not page.is_file():
        raise UsageError(
            f"no page in {folder}: `make report` or `wardmote slot --report {folder}` writes one"
        )
    return page.resolve()


def open_page(url: str) -> None:
    """Opens a page; raises OutputError where there is no browser."""
    if not webbrowser.open(url):
        raise OutputError(f"no browser was found: open {url}")


def serve(folder: Path, port: int, *, opens: bool) -> None:
    """Serves a report to browsers on this machine until Ctrl-C; port 0 is any free one."""
    page_of(folder)
    if not 0 <= port <= MOST_PORT:
        raise UsageError(f"no port {port}: possible are 0 (any free one) to {MOST_PORT}")
    try:
        server = ThreadingHTTPServer((HOST, port), partial(_Files, directory=str(folder)))
    except OSError as error:
        raise UsageError(f"no port {port}: {error.strerror}; --port 0 takes a free one") from error
    with server:
        url = f"http://{HOST}:{server.server_port}/"
        sys.stdout.write(f"{url} (Ctrl-C ends it)\n")
        sys.stdout.flush()
        if opens:
            open_page(url)
        server.serve_forever()


class _Files(SimpleHTTPRequestHandler):
    """The files of a folder, without a line for each request."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Says nothing."""
