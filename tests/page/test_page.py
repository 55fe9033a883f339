#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser: what it shows equals the JSON of the same runs; scrubbing, searching, sorting and zooming
work; no request leaves the page and no error is logged; controls and pictures have names.

    test_page.py ECUBE CHROMEDRIVER CHROMIUM [--keep FOLDER]

Prints TAP. --keep leaves the pages there, with a screenshot of each."""
import base64
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

from browser import Browser

ARROW_LEFT, ARROW_RIGHT, END, HOME, ESCAPE, ENTER = '\ue012', '\ue014', '\ue010', '\ue011', '\ue00c', '\ue007'


class Tap:
    """Numbered results; `equal` prints both operands if they differ."""

    def __init__(self):
        self.count = self.failed = 0

    def ok(self, good, name, detail=''):
        self.count += 1
        self.failed += not good
        print(f'{"ok" if good else "not ok"} {self.count} - {name}', flush=True)
        if not good:
            print('# ' + str(detail)[:2000].replace('\n', '\n# '))

    def equal(self, shown, expected, name):
        self.ok(shown == expected, name, f'shown    {shown!r}\nexpected {expected!r}')


def number(value, digits=4):
    """As the page writes numbers (base.js)."""
    if value is None:
        return '-'
    if isinstance(value, str):
        return value
    if value == int(value):
        return f'{int(value):,}'
    text = f'{value:.{digits}g}'
    return f'{round(value):,}' if abs(value) >= 1000 else text.rstrip('0').rstrip('.') if '.' in text else text


def numbers(text, code):
    return [x[0] for x in struct.iter_unpack('<' + code, base64.b64decode(text))]


class Reports:
    """Makes the pages and the results to compare them with."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def ecube(self, *arguments):
        run = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             check=False, cwd=self.folder)
        if run.returncode not in (0, 1, 3, 4):
            raise RuntimeError(f'ecube {" ".join(arguments)}: {run.stderr}')
        return run.stdout

    def json(self, *arguments):
        return json.loads(self.ecube(*arguments, '--format', 'json'))

    def run(self, name, *arguments):
        """The page of a run: its path, and the data inside."""
        path = os.path.join(self.folder, name + '.html')
        self.ecube('run', *arguments, '--no-failure-wave', '--quiet', '--report', path)
        with open(path, encoding='utf-8') as file:
            page = file.read()
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
        return path, json.loads(data[1])

    def stored(self, kind, result):
        """The page that `ecube report` makes of a stored result."""
        path = os.path.join(self.folder, kind + '.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(result, file)
        self.ecube('report', path)
        return path.replace('.json', '.html')


def table(browser, selector):
    """Cells of all rows shown: [{key: text}]."""
    return browser.run('''return [...document.querySelectorAll(arguments[0] + " tbody tr")].map((row) => {
        const cells = { ...row.dataset };
        for (const cell of row.cells) cells[cell.dataset.key] = cell.textContent;
        return cells;
    })''', selector)


def show_all(browser, table_id):
    browser.run('''const more = document.getElementById(arguments[0]).closest(".sort-table").querySelector(".below button");
        while (!more.hidden) more.click();''', table_id)


def link_values(browser):
    return browser.run('''return Object.fromEntries([...document.querySelectorAll("[data-link]")].filter((g) => g.dataset.value)
        .map((g) => [g.dataset.link, Number(g.dataset.value)]))''')


def figures(browser):
    return browser.run('''return Object.fromEntries([...document.querySelectorAll("#key-figures dl > div")]
        .map((d) => [d.children[0].textContent, d.children[1].textContent]))''')


def check_figures(tap, browser, result):
    shown = figures(browser)
    tap.equal(browser.text('#verdict'), 'PASS', 'the verdict of the torus')
    tap.equal(shown['Cycles'], number(result['cycles']), 'the cycles')
    mean = f'{number(result["latency"]["mean"])} ± {number(result["latency_half"], 2)}'
    tap.equal(shown['Latency'], f'{mean} cycles, p99 {number(result["latency"]["p99"])}',
              'mean and percentile of the latency, with the interval of the mean')
    tap.equal(shown['Accepted'],
              f'{number(result["accepted"])} of {number(result["offered"])} flits/node/cycle', 'the accepted load')
    tap.equal(shown['Waiting'], f'{number(result["contended_cycles"] + result["starved_cycles"])} cycles, '
              f'{number(result["contended_cycles"])} contended', 'the waiting')


def check_links(tap, browser, result, data, between_5_and_6='5-0'):
    show_all(browser, 'links-table')
    shown = {row['link']: [row['flits'], row['contended'], row['starved'], row['waiting']]
             for row in table(browser, '#links-table')}
    expected = {f'{link["node"]}-{link["port"]}': [number(link[key]) for key in ('flits', 'contended', 'starved', 'waiting')]
                for link in result['links']}
    tap.equal(shown, expected, 'the table of links has the numbers of the JSON')
    cycles = data['time']['last']
    expected = {f'{link["node"]}-{link["port"]}': link['flits'] / cycles for link in result['links']}
    shown = link_values(browser)
    tap.ok(shown.keys() == expected.keys() and all(abs(shown[k] - expected[k]) < 1e-6 for k in expected),
           'every link has its use as its value', f'{shown}\n{expected}')
    colours = browser.run('''const links = [...document.querySelectorAll("[data-link][data-value]")];
        return links.map((g) => [Number(g.dataset.value), getComputedStyle(g).color])''')
    top, low = max(colours)[1], min(colours)[1]
    tap.ok(top != low and all(c == top for v, c in colours if v == max(colours)[0]), 'colours follow the values', colours)
    browser.click('#links-table th[data-key=use] button')
    shown = [row['link'] for row in table(browser, '#links-table')]
    use = {f'{link["node"]}-{link["port"]}': link['flits'] for link in result['links']}
    tap.ok([use[k] for k in shown] == sorted(use.values(), reverse=True), 'a click on "Use" sorts by use', shown)
    tap.equal(browser.run('return document.querySelector("#links-table th[data-key=use]").ariaSort'), 'descending',
              'the header tells the order')
    browser.type('#links-filter', '5-6')
    tap.equal([row['link'] for row in table(browser, '#links-table')], [between_5_and_6], 'the filter "5-6" finds one link')
    browser.run('const f = document.getElementById("links-filter"); f.value = ""; f.dispatchEvent(new Event("input"));')


def bin_values(data, names, at):
    """Sum of the series per link in bin `at`, decoded here once more."""
    count, links = data['channels']['count'], data['network']['links']
    nodes, ports = numbers(data['channels']['node'], 'I'), numbers(data['channels']['port'], 'B')
    total = [0] * count
    for series in data['series']:
        if series['name'] in names:
            cells = numbers(series['cells'], {'u8': 'B', 'u16': 'H', 'u32': 'I'}[series['type']])
            total = [a + b for a, b in zip(total, cells[at * count:(at + 1) * count])]
    return {f'{node}-{port}': value for node, port, value in zip(nodes, ports, total) if port < links}


def check_scrubbing(tap, browser, data):
    bins, width, last = data['time']['bins'], data['time']['bin'], data['time']['last']
    for measure, names in (('use', ['flits']), ('waiting', ['contended', 'starved'])):
        browser.click(f'input[value={measure}]')
        browser.run('document.getElementById("scrub").focus()')
        for key in (ARROW_RIGHT, ARROW_RIGHT, END):
            browser.keys(key)
        browser.keys(ARROW_LEFT)
        at = int(browser.run('return document.querySelector(".readout").dataset.from'))
        tap.equal(at, bins - 2, 'the keys of the slider move the interval')
        browser.run('arguments[0].value = 20; arguments[0].dispatchEvent(new Event("input"))', browser.element('#scrub'))
        cycles = min(last, 21 * width) - 20 * width
        shown = {link: round(value * cycles) for link, value in link_values(browser).items()}
        tap.equal(shown, bin_values(data, names, 20), f'{measure} of every link in bin 20')
        tap.equal(browser.text('.readout'), f'Cycles {number(1 + 20 * width)} to {number(21 * width)}', 'its cycles are named')
    browser.click('input[value=use]')
    browser.run('document.getElementById("scrub").focus()')
    browser.keys(END)
    tap.equal(browser.run('return document.querySelector(".readout").dataset.to'), str(bins), 'End goes to the last bin')
    browser.run('document.activeElement.blur()')
    browser.keys(ARROW_LEFT)
    tap.equal(browser.run('return document.querySelector(".readout").dataset.to'), str(bins - 1),
              'the arrow keys work without a focus')
    browser.keys(ESCAPE)
    tap.equal(browser.run('const d = document.querySelector(".readout").dataset; return [d.from, d.to]'), ['0', str(bins)],
              'Escape shows the whole run')
    browser.drag('.strip .brush .overlay', (0.25, 0.5), (0.5, 0.5))
    first, end = browser.run('const d = document.querySelector(".readout").dataset; return [+d.from, +d.to]')
    tap.ok(abs(first - bins / 4) <= 2 and abs(end - bins / 2) <= 2, 'a brush chooses an interval', (first, end, bins))
    browser.click('button.play')
    browser.wait(f'return Number(document.querySelector(".readout").dataset.from) > {first}')
    browser.click('button.play')
    tap.equal(browser.text('button.play'), 'Play', 'play moves the interval, and pauses')
    browser.keys(ESCAPE)


def check_packets(tap, browser, result, nodes_of_a_router=1):
    log = result['packet_log']
    index = max(range(len(log)), key=lambda i: log[i]['delivered'] - log[i]['created'])
    slowest = log[index]
    first = table(browser, '#packets-table')[0]
    tap.equal(first['latency'], number(slowest['delivered'] - slowest['created'] + 1), 'the slowest packet comes first')
    browser.type('#packets-src', str(slowest['src']))
    browser.type('#packets-dst', str(slowest['dst']))
    show_all(browser, 'packets-table')
    keys = ('words', 'created', 'injected', 'delivered')
    shown = sorted(tuple(row[key] for key in keys) for row in table(browser, '#packets-table'))
    expected = sorted(tuple(number(p[key]) for key in keys) for p in log
                      if (p['src'], p['dst']) == (slowest['src'], slowest['dst']))
    tap.equal(shown, expected, 'the search by source and destination finds the packets of the JSON')
    browser.click('#packets-table tbody button')
    row = table(browser, '#packets-table')[0]
    hops = int(row['hops'])
    shown = browser.text('#packet-way p')
    tap.ok(shown.startswith(f'Packet {row["index"]}: {slowest["src"]} → ') and shown.count('→') == hops
           and f' → {slowest["dst"] // nodes_of_a_router} (' in shown, 'a click on a packet shows its path', shown)
    browser.run('document.querySelectorAll("#packets-table tbody tr")[1].cells[4].click()')
    tap.ok(browser.text('#packet-way p') != shown, 'so does a click anywhere in a row', shown)
    browser.click('#packet-way button')
    browser.wait('const r = document.getElementById("network").getBoundingClientRect(); return r.top < innerHeight && r.bottom > 0')
    browser.click('#packets-table tbody button')
    tap.equal(browser.run('return document.querySelectorAll("[data-link].on-path").length'), hops, 'its path is highlighted')
    steps = browser.run('return [...document.querySelectorAll(".timeline .step")].map((s) => [+s.dataset.from, +s.dataset.to])')
    whole = [(a, b) for (_, a), (b, _) in zip(steps, steps[1:]) if a != b]
    tap.ok(not whole and steps[0][0] == slowest['created'] and steps[-1][1] == slowest['delivered'],
           'its timeline leads from creation to delivery without a gap', steps)
    browser.keys(ESCAPE)
    browser.type('#packets-index', '3')
    row = table(browser, '#packets-table')
    browser.run('for (const k of ["src", "dst", "index"]) { const f = document.getElementById("packets-" + k); f.value = "";'
                'f.dispatchEvent(new Event("input")); }')
    tap.ok(len(row) <= 1, 'the search by number finds at most one packet', row)


def check_network(tap, browser):
    browser.type('#node-search', '3,1')
    browser.keys(ENTER)
    tap.equal(browser.run('return document.querySelector(".nodes .selected").dataset.node'), '7', 'node (3,1) is found')
    tap.ok('Router 7 (3,1)' in browser.text('.details'), 'its details are shown', browser.text('.details'))
    browser.run('document.querySelector("svg.network").focus()')
    browser.keys(ARROW_LEFT)
    tap.equal(browser.run('return document.querySelector(".nodes .selected").dataset.node'), '6',
              'an arrow key goes to the neighbour')
    browser.click('.zoom button')
    browser.wait('return document.querySelector("svg.network").dataset.zoom === "1.50"')
    browser.run('document.querySelector("svg.network").focus()')
    browser.keys('0')
    tap.equal(browser.run('return document.querySelector("svg.network").dataset.zoom'), '1.00', 'zooming, and back by key')
    browser.keys(ESCAPE)


def check_finding(tap, browser, result):
    busiest = max(result['links'], key=lambda link: link['flits'])['flits']
    waiting = result['waiting_link_cycles']
    tap.ok(f'flits waited {number(waiting)} cycles' in browser.text('[data-mark=B]'), 'the most waiting is named',
           (waiting, browser.text('#found')))
    browser.click('[data-mark=A] button')
    link = browser.run('return document.querySelector("[data-link].selected")?.dataset.link')
    flits = [x['flits'] for x in result['links'] if f'{x["node"]}-{x["port"]}' == link]
    local = max(x['flits'] for x in result['locals'])
    tap.ok(flits == [busiest] or (not flits and local >= busiest), 'the busiest channel is shown on request', (link, flits))
    browser.keys(ESCAPE)


def check_deadlock(tap, browser, result):
    tap.equal(browser.text('#verdict'), 'DEADLOCK', 'the verdict of a deadlock')
    shown = browser.run('return [...document.querySelectorAll("#deadlock li")].map((li) => li.textContent)')
    tap.equal(shown, result['waiting'], 'the circle is listed in its order')
    tap.equal(browser.text('#deadlock code'), result['remedy'], 'and the options without deadlocks')
    wants = {(re.match(r'router (\d+)', text)[1], re.search(r'wants output (\S+)', text)[1]) for text in result['waiting']}
    names = {(str(link['node']), link['name']): f'{link["node"]}-{link["port"]}' for link in result['links']}
    shown = browser.run('return [...document.querySelectorAll("[data-link].in-circle")].map((g) => g.dataset.link)')
    tap.equal(sorted(shown), sorted(names[want] for want in wants), 'and highlighted in the network')


def check_heat(tap, browser, result, data):
    titles = browser.run('return [...document.querySelectorAll(".maps figure")].map((f) => [f.textContent, +f.querySelector("canvas").dataset.mean])')
    tap.equal([title for title, _ in titles], data['network']['link_names'] + ['Buffers'], 'a map for each port and the buffers')
    links, cycles = result['links'], data['time']['last']
    for port, (title, mean) in enumerate(titles[:2]):
        flits = [link['flits'] for link in links if link['port'] == port]
        tap.ok(abs(mean - sum(flits) / len(flits) / cycles) < 1e-5, f'the mean of the map {title}', (mean, sum(flits)))
    browser.click('.maps canvas')
    tap.ok(browser.text('.details h3') != '', 'a click into a map selects a link', browser.text('.details'))


def check_overload(tap, browser):
    tap.equal(browser.text('#verdict'), 'TOO SHORT', 'the verdict of an overload')
    tap.equal(figures(browser)['Latency'], 'not measured: backlogs exceed chance', 'its latency is not shown')
    tap.ok('stability' in browser.text('#problems'), 'the check that decided is named', browser.text('#problems'))


def check_warned(tap, browser):
    text = browser.text('#problems')
    tap.ok('can deadlock: 8 channels wait for each other' in text, 'a deadlock that is possible is a warning', text)


def check_left_out(tap, browser, data):
    """A run with more packets than the page keeps."""
    packets, notes = data['packets'], browser.text('#notes')
    tap.ok(packets['kept'] < packets['all'] and all(note in notes for note in data['notes']), 'what is left out is said', notes)
    bars = browser.run('return [...document.querySelectorAll(".histogram [data-count]")].map((bar) => +bar.dataset.count)')
    tap.equal(sum(bars), packets['all' if 'histogram' in packets else 'kept'], 'the histogram has all packets that are known')


def check_sweep(tap, browser, result):
    points = [point for curve in result['curves'] for point in curve['points']]
    shown = table(browser, '#points-table')
    expected = [(point['state'], point['command']) for point in points]
    tap.equal([(row['state'], row['command']) for row in shown], expected, 'the table of points has states and commands')
    shown = [row['latency'].split(' ')[0] for row in shown]
    tap.equal(shown, [number(point['latency']) for point in points], 'and latencies')
    unknown = [p['rate'] for p in points if p['latency'] is not None and p['latency_half_width'] is None]
    shown = browser.run('return [...document.querySelectorAll("#sweep-latency .hollow")].map((p) => +p.dataset.x)')
    tap.equal((len(unknown), shown), (1, unknown), 'a latency without an interval is hollow')
    shown = browser.run('return document.querySelectorAll("#sweep-latency .error").length')
    tap.equal(shown, len([p for p in points if p['latency_half_width'] is not None]), 'and has no bar')
    ends = [result['curves'][0][key] for key in ('backlog_low', 'backlog_high')]
    tap.ok(f'between {ends[0]} and {ends[1]} flits/node/cycle, {100 * ends[0]:.0f} % to {100 * ends[1]:.0f} % of'
           in browser.text('#saturation'), 'the answer has both ends of the bracket')
    shown = browser.run('return [...document.querySelectorAll("#sweep-accepted [data-y]")].map((p) => [+p.dataset.x, +p.dataset.y])')
    tap.equal(shown, [[p['rate'], p['accepted']] for p in points], 'the curve has the points of the JSON')
    browser.run('document.querySelector("#sweep-accepted [data-y]").focus()')
    browser.keys(ARROW_RIGHT)
    tap.equal(browser.text('#sweep-point code'), points[1]['command'], 'an arrow key shows the command of the next point')


def check_many_curves(tap, browser, result):
    """36 curves can be hidden one by one, and filtered by words of their names."""
    names = [curve['variant'] for curve in result['curves']]
    drawn = 'return document.querySelectorAll("#sweep-latency .curve").length'
    choose = 'document.getElementById("curves-filter").closest(".tools").querySelectorAll("button")[arguments[0]].click()'
    tap.equal((len(names), browser.run(drawn)), (36, 36), 'all curves are drawn')
    browser.click('.curve-key li:nth-child(2) button')
    tap.equal(browser.run(drawn), 35, 'a click on a name hides its curve')
    tap.ok(names[1] not in {row['curve'] for row in table(browser, '#points-table')}, 'and its rows')
    tap.equal(browser.run('return document.querySelectorAll(".curve-key [aria-pressed=false]").length'), 1, 'the key says so')
    browser.click('.curve-key li:nth-child(2) button')
    tap.equal(browser.run(drawn), 36, 'another click shows it again')
    browser.type('#curves-filter', 'vcs=2 m=3')
    expected = [name for name in names if 'vcs=2' in name and 'm=3' in name]
    shown = browser.run('return [...document.querySelectorAll(".curve-key li:not(.note)")].filter((li) => !li.hidden)'
                        '.map((li) => li.textContent)')
    tap.equal((shown, browser.run(drawn)), (expected, len(expected)), 'the filter shows curves whose names have all words')
    tap.equal({row['curve'] for row in table(browser, '#points-table')}, set(expected), 'and their rows')
    browser.run('const f = document.getElementById("curves-filter"); f.value = ""; f.dispatchEvent(new Event("input"));')
    browser.run(choose, 1)
    tap.equal(browser.run(drawn), 0, 'all can be hidden')
    browser.click('.curve-key li:nth-child(3) button')
    tap.equal(browser.run(drawn), 1, 'and one shown alone')
    browser.run(choose, 0)
    tap.equal(browser.run(drawn), 36, 'and all again')


def check_regress(tap, browser, result):
    order = ['stopped', 'function', 'time', 'new', 'same']
    changes = [(order.index(row['change']), row['line']) for row in result['rows']]
    shown = [int(row['line']) for row in table(browser, '#rows-table')]
    tap.equal(shown, [line for _, line in sorted(changes)], 'changes come first')
    if result['closed']['cycles']:
        tap.ok(f'geometric mean of {result["closed"]["rows"]} row' in browser.text('#key-figures'), 'the mean says of how many rows')
    browser.run('const s = document.getElementById("rows-change"); s.value = "time"; s.dispatchEvent(new Event("change"));')
    tap.equal([int(row['line']) for row in table(browser, '#rows-table')],
              [row['line'] for row in result['rows'] if row['change'] == 'time'], 'the filter shows changes in time')


def check_compare(tap, browser, result):
    text = browser.text('#difference')
    tap.ok(f'In cycle {number(result["divergence"]["cycle"])}: {result["divergence"]["place"]}' in text,
           'the first difference is named', text)
    tap.equal(browser.run('return document.querySelector(".nodes .selected").dataset.node'),
              str(result['divergence']['node']), 'and its router selected')
    first, last = browser.text('.readout').removeprefix('Cycle ').split(' to ')[0], result['divergence']['cycle']
    tap.equal(first, number(last), 'in its cycle')


# Every problem as a line of text: what a screen reader, a keyboard or weak eyes would stumble over.
BARRIERS = r'''
const bad = [], visible = (e) => e.checkVisibility && e.checkVisibility();
const name = (e) => e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent || "").join("") || [...(e.labels || [])].map((l) => l.textContent).join("")
    || e.title || e.textContent;
const short = (e) => e.outerHTML.slice(0, 120);
for (const e of document.querySelectorAll("button, a[href], input, select, summary, canvas, [role=img], [role=group], [tabindex='0']"))
    if (!name(e).trim()) bad.push("no name: " + short(e));
for (const e of document.querySelectorAll("svg:not([role]):not([aria-hidden])")) bad.push("picture without a role: " + short(e));
const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) bad.push("id twice: " + id);
for (const attribute of ["for", "aria-labelledby", "aria-describedby"])
    for (const e of document.querySelectorAll(`[${attribute}]`))
        for (const id of e.getAttribute(attribute).split(" ")) if (!document.getElementById(id)) bad.push(`${attribute} to nowhere: ` + short(e));
for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) bad.push("order of focus: " + short(e));
for (const e of document.querySelectorAll("th")) if (!e.scope) bad.push("th without scope: " + short(e));
for (const e of document.querySelectorAll("table")) if (!e.caption && !e.closest(".details")) bad.push("table without caption: " + e.id);
if (document.querySelectorAll("h1").length !== 1 || !document.documentElement.lang || !document.title) bad.push("h1, lang or title");
let level = 1;
for (const e of document.querySelectorAll("h1, h2, h3")) {
    const now = Number(e.tagName[1]);
    if (now > level + 1) bad.push("heading skips a level: " + short(e));
    level = now;
}
const rgb = (text) => text.match(/[\d.]+/g).map(Number);
const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (e) => {
    for (; e; e = e.parentElement) {
        const c = rgb(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] > 0.99) return c;
    }
    return [255, 255, 255];
};
for (const e of document.querySelectorAll("h1, h2, h3, p, small, dt, dd, td, th button, li, label, code, summary, button, a, .verdict, .note, svg text")) {
    if (!visible(e) || !e.textContent.trim() || e.disabled || e.closest(".unseen, .skip, .nodes, .marks")) continue;
    const style = getComputedStyle(e), a = light(rgb(e instanceof SVGElement ? style.fill : style.color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(`contrast ${ratio.toFixed(2)}: ` + short(e));
}
if (document.documentElement.scrollWidth > innerWidth) bad.push(`wider than the window: ${document.documentElement.scrollWidth}`);
return [...new Set(bad)];
'''


def check_silence(tap, browser, path, what):
    """No error in the console, no request but for the file itself."""
    errors = [entry['message'] for entry in browser.log('browser')]
    tap.equal(errors, [], f'{what}: nothing in the console')
    urls = set()
    for entry in browser.log('performance'):
        message = json.loads(entry['message'])['message']
        if message['method'] == 'Network.requestWillBeSent':
            urls.add(message['params']['request']['url'])
    tap.equal({url for url in urls if not url.startswith('data:')} - {'file://' + path}, set(), f'{what}: no request')


def check_barriers(tap, browser, what):
    for dark in (False, True):
        browser.media(dark)
        tap.equal(browser.run(BARRIERS), [], f'{what}, {"dark" if dark else "light"}: names, order, contrast')
    browser.media(False)


def check_policy(tap, browser):
    """The page's own policy stops what a script might try."""
    blocked = browser.run('''return new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective), { once: true });
        const image = new Image();
        image.src = "https://example.invalid/x.png";
        setTimeout(() => done("nothing"), 1000);
    })''')
    tap.equal(blocked, 'img-src', 'the content security policy blocks other hosts')


def main():
    program, driver, chromium = (os.path.abspath(path) for path in sys.argv[1:4])
    keep = sys.argv[5] if sys.argv[4:5] == ['--keep'] else None
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.abspath(keep) if keep else folder
        reports = Reports(program, folder)
        with Browser(driver, chromium) as browser:
            check_all(tap, browser, reports, keep)
    print(f'1..{tap.count}')
    return tap.failed > 0


def check_all(tap, browser, reports, keep):
    def visit(what, path, *checks, limit=3):
        seconds = browser.open(path)
        tap.ok(seconds < limit, f'{what}: opens within {limit} s of processor time', seconds)
        for check, *arguments in checks:
            check(tap, browser, *arguments)
        check_barriers(tap, browser, what)
        check_silence(tap, browser, path, what)
        if keep:
            browser.screenshot(path.replace('.html', '.png'))

    torus = ('torus:4x4', 'uniform:rate=0.4,m=4', '--cycles', '600', '--warmup', '100')
    torus_page, data = reports.run('torus', *torus)
    result = reports.json('run', *torus, '--packets')
    visit('torus', torus_page, (check_figures, result), (check_links, result, data), (check_scrubbing, data),
          (check_packets, result), (check_network,), (check_finding, result))

    dragonfly = ('dragonfly:2,4,2', 'shift:q=8,rate=0.1,m=4', '--cycles', '300', '--warmup', '100')
    path, data = reports.run('dragonfly', *dragonfly)
    result = reports.json('run', *dragonfly, '--packets')
    visit('dragonfly', path, (check_links, result, data, '5-1'), (check_packets, result, 2))

    deadlock = ('torus:4x4', 'shift:q=5,m=32', '--router', 'dateline=off')
    path, _ = reports.run('deadlock', *deadlock)
    visit('deadlock', path, (check_deadlock, reports.json('run', *deadlock, '--no-failure-wave')))

    cube = ('cube:8', 'bitrev:m=4')
    path, data = reports.run('cube', *cube)
    visit('cube', path, (check_heat, reports.json('run', *cube), data))

    path, _ = reports.run('overload', 'torus:4x4', 'uniform:rate=0.9,m=16', '--cycles', '500')
    visit('overload', path, (check_overload,))
    path, _ = reports.run('warned', 'ring:8', 'uniform:rate=0.1,m=2', '--router', 'vcs=1', '--cycles', '500')
    visit('warned', path, (check_warned,))

    path, data = reports.run('many', 'torus:4x4', 'uniform:rate=0.5,m=1', '--cycles', '3000')
    visit('many packets', path, (check_left_out, data))

    result = reports.json('sweep', 'cube:3', 'uniform:m=8', '--rates', '0.4,0.6,0.9', '--precision', '10%',
                          '--cycles', '8192', '--quiet')
    visit('sweep', reports.stored('sweep', result), (check_sweep, result))

    # The same curve under 36 names, which is all that matters here.
    curves = [dict(result['curves'][0], variant=f'vcs={v}, m={m}') for v in range(1, 5) for m in range(1, 10)]
    result = dict(result, curves=curves)
    visit('many curves', reports.stored('sweep', result), (check_many_curves, result))

    baseline = os.path.join(reports.folder, 'baseline.txt')
    with open(baseline, 'w', encoding='utf-8') as file:
        file.write('cube:3 shift:q=1,m=16\ncube:3 hotspot:m=8\n')
    reports.ecube('regress', baseline, '--update', '--quiet')
    with open(baseline, encoding='utf-8') as file:
        lines = file.read().replace('cycles=58', 'cycles=57') + 'cube:3 bitcomp:m=8\n'
    with open(baseline, 'w', encoding='utf-8') as file:
        file.write(lines)
    result = reports.json('regress', baseline, '--quiet')
    visit('regress', reports.stored('regress', result), (check_regress, result))

    result = reports.json('compare', 'tiles', 'tiles', 'cube:3', 'shift:q=5,m=8')
    result['divergence'] = {
        'cycle': 7, 'node': 3, 'port': 1, 'vc': 0, 'field': 'word out', 'place': 'router 3, output dim1: word',
        'a': '0000000000000001', 'b': '0000000000000000', 'a_text': 'a head', 'b_text': 'none', 'packets': ['3->5 #0']}
    visit('compare', reports.stored('compare', result), (check_compare, result))
    browser.resize(420, 800)
    visit('narrow window', torus_page)
    check_policy(tap, browser)


if __name__ == '__main__':
    sys.exit(main())
