"""The pytest plug-in: a fixture `vernier`, which judges under the test's name, and options.

    def test_tables(vernier):
        vernier.assert_conforms("llama-3.1-8b", cos=cos, sin=sin)

--vernier-html=DIR writes a page for each verdict, and an index of them.

--vernier-waivers=FILE reads a JSON object: its keys are ids of tests or patterns of ids (fnmatch), its values are waivers.

--vernier-seed=N is the seed of vernier.requests() and vernier.validate(); the session's first lines print it.

A test is skipped if its function raises vernier.Unsupported.
"""

import fnmatch
import hashlib
import html
import json
import os
import re

import pytest

import vernier as package
from vernier import _in_process

_LONGEST_NAME = 150


def pytest_addoption(parser):
    group = parser.getgroup("vernier", "verdicts on positional encodings")
    group.addoption("--vernier-html", metavar="DIR", help="write a page for each verdict into DIR")
    group.addoption("--vernier-waivers", metavar="FILE",
                    help="waivers by test: a JSON object of ids or patterns, each with a list of waivers")
    group.addoption("--vernier-seed", metavar="N", type=int, default=1,
                    help="the seed of questions and vectors; default 1: tests keep their names")


def pytest_report_header(config):
    return f"vernier: {package.__version__}, --vernier-seed={config.getoption('vernier_seed')}"


def pytest_make_parametrize_id(config, val, argname):
    return str(val) if isinstance(val, package.Request) else None


def pytest_configure(config):
    _in_process.default_seed = config.getoption("vernier_seed")
    config.pluginmanager.register(_Session(config), "vernier_session")


class _Session:
    """The verdicts of a session."""

    def __init__(self, config):
        self._folder = config.getoption("vernier_html")
        self._file = config.getoption("vernier_waivers")
        self._waivers = _read_waivers(self._file)
        self._used = set()
        self._pages = []
        self._style = ""  # of the verdicts' pages
        self._writes_index = not hasattr(config, "workerinput")  # pytest-xdist's workers leave it to nobody

    def waivers_of(self, test):
        found = [pattern for pattern in self._waivers if pattern == test or fnmatch.fnmatchcase(test, pattern)]
        self._used.update(found)
        return [waiver for pattern in found for waiver in self._waivers[pattern]]

    def add(self, test, verdict):
        if not self._folder:
            return
        os.makedirs(self._folder, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", test)
        if len(name) > _LONGEST_NAME:
            name = name[:_LONGEST_NAME] + hashlib.sha256(test.encode()).hexdigest()[:12]
        same = sum(1 for page in self._pages if page[0] == test)
        page = f"{name}{f'.{same + 1}' if same else ''}.html"
        with open(os.path.join(self._folder, page), "w", encoding="utf-8") as file:
            file.write(verdict.html)
        self._pages.append((test, page, verdict.text.splitlines()[0], verdict.conforms))
        self._style = self._style or re.search(r"<style>.*?</style>", verdict.html, re.DOTALL).group(0)

    def pytest_sessionfinish(self):
        if not self._pages or not self._writes_index:
            return
        rows = "".join(
            f'<tr><td class="state"><span class="status status-{"pass" if conforms else "fail"}">'
            f'{"conforms" if conforms else "fails"}</span></td>'
            f'<td><a href="{html.escape(page)}">{html.escape(test)}</a></td><td>{html.escape(line)}</td></tr>\n'
            for test, page, line, conforms in sorted(self._pages, key=lambda one: one[3]))
        failing = sum(1 for page in self._pages if not page[3])
        with open(os.path.join(self._folder, "index.html"), "w", encoding="utf-8") as file:
            file.write('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
                       '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                       f"<title>Vernier verdicts</title>\n{self._style}\n</head>\n<body>\n"
                       '<header><p class="site-name">Vernier verdicts</p></header>\n<main id="main">\n'
                       f"<h1>{failing} of {len(self._pages)} verdicts fail</h1>\n"
                       '<section class="scroll" tabindex="0" aria-label="Verdicts"><table>\n<thead><tr>'
                       '<th scope="col">Verdict</th><th scope="col">Test</th><th scope="col">First line</th></tr></thead>\n'
                       f"<tbody>\n{rows}</tbody>\n</table></section>\n</main>\n</body></html>\n")

    def pytest_terminal_summary(self, terminalreporter):
        for pattern in sorted(set(self._waivers) - self._used):
            terminalreporter.write_line(f"vernier: {self._file}: no verdict was asked for in a test {pattern}")


def _read_waivers(path):
    if not path:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            waivers = json.load(file)
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"--vernier-waivers: {path}: cannot be read ({error})") from error
    if not isinstance(waivers, dict) or not all(isinstance(one, list) for one in waivers.values()):
        raise pytest.UsageError(f"--vernier-waivers: {path}: expected an object of tests, each with an array")
    return waivers


class _Judge:
    """The package, judging under the name of a test and with its waivers."""

    def __init__(self, session, test, name):
        self._session, self._test, self._name = session, test, name

    def __getattr__(self, name):
        return getattr(package, name)

    def _options(self, options):
        options.setdefault("name", self._name)
        options.setdefault("waivers", self._session.waivers_of(self._test) or None)
        return options

    def check(self, spec, **options):
        verdict = package.check(spec, **self._options(options))
        self._session.add(self._test, verdict)
        return verdict

    def validate(self, function, spec, **options):
        verdict = package.validate(function, spec, **self._options(options))
        self._session.add(self._test, verdict)
        return verdict

    def assert_answers(self, function, request, **options):
        __tracebackhide__ = True
        try:
            verdict = package.assert_answers(function, request, **self._options(options))
        except package.Unsupported as reason:
            pytest.skip(f"not supported: {reason}")
        except AssertionError as error:
            if getattr(error, "verdict", None) is not None:
                self._session.add(self._test, error.verdict)
            raise
        self._session.add(self._test, verdict)
        return verdict

    def assert_conforms(self, spec, *, verbose=False, **options):
        __tracebackhide__ = True
        return package.require_conformance(self.check(spec, **options), verbose=verbose)


@pytest.fixture
def vernier(request):
    """Vernier, judging under this test's name and with its waivers: check(), assert_conforms(), table(), spec() ..."""
    session = request.config.pluginmanager.get_plugin("vernier_session")
    return _Judge(session, request.node.nodeid, request.node.name)
