# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium over the WebDriver protocol, with the standard library only."""
import base64
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
PATIENCE = 300  # seconds; a busy machine is slow


class Browser:
    """One browser; a context manager. All sizes in CSS pixels."""

    def __init__(self, driver='chromedriver', browser=None, width=1280, height=900, dark=False):
        self.driver = subprocess.Popen([driver, '--port=0'], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.session = None
        try:
            self.base = f'http://127.0.0.1:{self._port()}'
            flags = ['--headless=new', '--disable-gpu', '--hide-scrollbars', '--disable-dev-shm-usage',
                     '--disable-background-networking', '--no-first-run', '--disable-component-update',
                     f'--window-size={width},{height}']
            if os.geteuid() == 0:
                flags.append('--no-sandbox')
            if dark:
                flags.append('--blink-settings=preferredColorScheme=0')
            options = {'args': flags}
            if browser:
                options['binary'] = browser
            reply = self._send('POST', '/session', {'capabilities': {'alwaysMatch': {
                'browserName': 'chrome', 'goog:chromeOptions': options,
                'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'}}}})
            self.session = f'/session/{reply["sessionId"]}'
            self.devtools('Performance.enable', timeDomain='threadTicks')
        except BaseException:
            self.close()
            raise

    def _port(self):
        for line in self.driver.stdout:
            found = re.search(r'started successfully on port (\d+)', line)
            if found:
                return int(found[1])
        raise RuntimeError('chromedriver did not start')

    def _send(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == 'POST' else None
        request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
                return json.load(reply)['value']
        except urllib.error.HTTPError as error:
            value = json.load(error)['value']
            raise RuntimeError(f'{path}: {value["error"]}: {value["message"]}') from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.session:
                self._send('DELETE', self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()

    def go(self, url):
        self._send('POST', f'{self.session}/url', {'url': url})

    def open(self, path):
        """Open a file and wait until its script says that it is ready; seconds of processor time that took."""
        self.go('file://' + os.path.abspath(path))
        self.wait('return document.documentElement.dataset.ready === "yes"')
        metrics = self.devtools('Performance.getMetrics')['metrics']
        return next(m['value'] for m in metrics if m['name'] == 'TaskDuration')

    def run(self, script, *arguments):
        return self._send('POST', f'{self.session}/execute/sync',
                          {'script': script, 'args': list(arguments)})

    def wait(self, script):
        """Until the script returns something true; that value."""
        end = time.monotonic() + PATIENCE
        while True:
            value = self.run(script)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f'not within {PATIENCE} s: {script}')
            time.sleep(0.02)

    def find(self, selector):
        return self._send('POST', f'{self.session}/element',
                          {'using': 'css selector', 'value': selector})[ELEMENT]

    def element(self, selector):
        """As an argument of run()."""
        return {ELEMENT: self.find(selector)}

    def click(self, selector):
        self._send('POST', f'{self.session}/element/{self.find(selector)}/click')

    def type(self, selector, text):
        self._send('POST', f'{self.session}/element/{self.find(selector)}/value', {'text': text})

    def keys(self, *keys):
        """Press keys one after the other, wherever the focus is."""
        actions = [{'type': kind, 'value': key} for key in keys for kind in ('keyDown', 'keyUp')]
        self._send('POST', f'{self.session}/actions',
                   {'actions': [{'type': 'key', 'id': 'keys', 'actions': actions}]})

    def drag(self, selector, start, end):
        """Drag the mouse between two points, fractions of the element's box."""
        box = self.run('const b = document.querySelector(arguments[0]); b.scrollIntoView({block: "center"});'
                       'const r = b.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]', selector)
        at = [(round(box[0] + fx * box[2]), round(box[1] + fy * box[3])) for fx, fy in (start, end)]
        move = [{'type': 'pointerMove', 'duration': 0, 'x': x, 'y': y, 'origin': 'viewport'} for x, y in at]
        self._send('POST', f'{self.session}/actions', {'actions': [{
            'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'},
            'actions': [move[0], {'type': 'pointerDown', 'button': 0}, move[1],
                        {'type': 'pointerUp', 'button': 0}]}]})

    def text(self, selector):
        return self.run('return document.querySelector(arguments[0]).textContent', selector)

    def log(self, kind):
        return self._send('POST', f'{self.session}/se/log', {'type': kind})

    def devtools(self, command, **parameters):
        return self._send('POST', f'{self.session}/goog/cdp/execute',
                          {'cmd': command, 'params': parameters})

    def resize(self, width, height):
        self.devtools('Emulation.setDeviceMetricsOverride', width=width, height=height,
                      deviceScaleFactor=1, mobile=False)

    def media(self, dark=False, media=''):
        self.devtools('Emulation.setEmulatedMedia', media=media, features=[
            {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def screenshot(self, path, whole=True):
        shot = self.devtools('Page.captureScreenshot', format='png', captureBeyondViewport=whole,
                             **({'clip': self._page_box()} if whole else {}))
        with open(path, 'wb') as out:
            out.write(base64.b64decode(shot['data']))

    def _page_box(self):
        size = self.run('const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]')
        return {'x': 0, 'y': 0, 'width': size[0], 'height': size[1], 'scale': 1}

    def pdf(self, path):
        shot = self.devtools('Page.printToPDF', printBackground=True, preferCSSPageSize=True)
        with open(path, 'wb') as out:
            out.write(base64.b64decode(shot['data']))
