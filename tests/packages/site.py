# SPDX-License-Identifier: Apache-2.0
"""The site of the documents: every link and anchor leads somewhere, nothing comes from the network, every page can be
reached from the navigation, and the search knows every command and needs no mouse.

  site.py SOURCE-ROOT BUILD-FOLDER
"""

import functools
import html.parser
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).parent.parent / "page"))
from browser import Browser  # noqa: E402

TAB, ENTER, ESCAPE = "\ue004", "\ue007", "\ue00c"
SEARCH_OPEN = 'return document.querySelector("[data-md-toggle=search]").checked'
# The result that has the focus: its address, if its outline is inside the window.
CHOSEN = """const a = document.activeElement, box = a.getBoundingClientRect(), style = getComputedStyle(a);
    const seen = box.height > 0 && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
    return a.matches('.md-search-result__link') && seen && style.outlineStyle === 'solid' ? a.href : ''"""


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.parts = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id"))
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        if tag in ("link", "script", "img") and attrs.get("rel") != "canonical":
            self.parts += [attrs[key] for key in ("href", "src") if key in attrs]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def search_by_keys(browser, address):
    """Open the search, type, choose the second result by Tab and follow it; what does not work."""
    browser.go(address)
    browser.wait("return document.querySelector('.md-search-result__meta').textContent.includes('Type')")
    browser.keys("s")
    browser.wait(SEARCH_OPEN)
    browser.keys(*"dateline")
    browser.wait("return document.querySelectorAll('.md-search-result__link').length > 1")
    browser.wait("return document.getAnimations().length === 0")
    chosen = []
    for _ in range(2):
        browser.keys(TAB)
        chosen.append(browser.run(CHOSEN))
    if not all(chosen) or chosen[0] == chosen[1]:
        return [f"Tab shows no two results of a search: {chosen}"]
    browser.keys(ENTER)
    browser.wait(f"return location.href.split('?')[0] === '{chosen[1].split('?')[0]}'")
    browser.go(address)
    browser.keys("s")
    browser.wait(SEARCH_OPEN)
    browser.keys(ESCAPE)
    return ["Escape does not close the search"] * browser.run(SEARCH_OPEN)


def use(site):
    """The site in a browser, on a desk and on a dark phone."""
    bad = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for width, height, dark in ((1280, 900, False), (390, 844, True)):
            with Browser(width=width, height=height) as browser:
                browser.resize(width, height)
                browser.media(dark=dark)
                found = search_by_keys(browser, f"http://127.0.0.1:{server.server_port}/index.html")
                bad += [f"{width} pixels: {line}" for line in found]
        server.shutdown()
    return bad


def main(root, build):
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([root / "scripts/packages/site", folder], check=True, env=os.environ | {"ECUBE_BUILD": build})
        site = pathlib.Path(folder).resolve()
        pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
        linked = set()
        for path, page in pages.items():
            for target in page.links + page.parts:
                url = urllib.parse.urlsplit(target)
                if url.scheme or url.netloc:
                    bad += [f"{path}: {target} is loaded from the network"] * (target in page.parts)
                    continue
                other = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
                other = other / "index.html" if other.is_dir() else other
                linked.add(other)
                if not other.is_file():
                    bad.append(f"{path}: no {target}")
                elif url.fragment and other in pages and url.fragment not in pages[other].ids | {"__skip"}:
                    bad.append(f"{path}: no anchor {target}")
        bad += [f"{path}: no link leads here" for path in pages if path not in linked]
        index = json.loads((site / "search/search_index.json").read_text())
        found = {entry["location"] for entry in index["docs"]}
        commands = [path.name for path in (site / "man").glob("ecube*.html")]
        bad += [f"{name}: not in the search index" for name in commands if f"man/{name}" not in found]
        if len(commands) < 14 or len(pages) < 70:
            bad.append(f"only {len(commands)} commands and {len(pages)} pages")
        bad += use(site)
    print(*bad, sep="\n")
    return 1 if bad else 0


sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
