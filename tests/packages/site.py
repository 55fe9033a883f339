# SPDX-License-Identifier: Apache-2.0
"""The site of the documents: every link and anchor leads somewhere, nothing comes from the network, every page can be
reached from the navigation, and the search knows every command.

  site.py SOURCE-ROOT BUILD-FOLDER
"""

import html.parser
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse


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
    print(*bad, sep="\n")
    return 1 if bad else 0


sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
