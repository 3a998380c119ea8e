"""A page that inkling-export wrote, in a browser and under a hand, for the tests of it."""

import argparse
import base64
import json
import pathlib
import tempfile

from chromium import Browser
from hand import CONTROL, Hand

arguments = argparse.ArgumentParser()
arguments.add_argument("page", type=pathlib.Path)
arguments.add_argument("--screenshots", type=pathlib.Path)
arguments.add_argument("--only", help="part of the name of the tests to run")
options = arguments.parse_args()
path = options.page.resolve()
if options.screenshots:
    options.screenshots.mkdir(parents=True, exist_ok=True)

work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)

# Chromium asks before it saves many files, so that most of what the page saves is caught before it is a file.
CATCH = """
const { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype;
URL.createObjectURL = blob => (globalThis.savedBlob = blob, createObjectURL.call(URL, blob));
HTMLAnchorElement.prototype.click = function () {
  globalThis.savedName = this.download;
  if (globalThis.savesFiles) click.call(this);
};
"""

# What the page asks of the recogniser's module: how often, of how many strokes; and answers in its place, if wanted.
WATCH = """
globalThis.read = { times: 0, strokes: 0, threshold: null };
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...all) => {
  const { instance } = await instantiate.call(WebAssembly, ...all), { exports } = instance;
  return { instance: { exports: {
    ...exports,
    inkling_strokes: (strokes, points) => (read.strokes = strokes, read.points = points,
      exports.inkling_strokes(strokes, points)),
    inkling_predict_strokes: () => (read.times++, exports.inkling_predict_strokes()),
    inkling_refusal_threshold: () => read.threshold ?? exports.inkling_refusal_threshold(),
  } } };
};
"""

browser = Browser(1280, 800)
browser.call("Page.addScriptToEvaluateOnNewDocument", source=CATCH + WATCH)
hand = Hand(browser)


def fresh(width=1280, height=800, theme="light", **more):
    browser.resize(width, height, **more)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    browser.call("Page.navigate", url=f"file://{path}")
    browser.wait("document.readyState === 'complete' && document.documentElement.dataset.ready === ''")
    browser.frame()


def shoot(name):
    if options.screenshots:
        browser.screenshot(options.screenshots / f"{name}.png")


def text(selector):
    return browser.run(f"document.querySelector({selector!r}).textContent")


def saved_as(name):
    """The bytes of what the page saved under this name."""
    browser.wait(f"globalThis.savedName === {name!r}")
    data = browser.run("savedName = '', savedBlob.arrayBuffer().then(b => btoa(String.fromCharCode(...new Uint8Array(b))))")
    return base64.b64decode(data)


def drawing():
    """The drawing as the page saves it, or None where it says that there is nothing to save."""
    browser.run("document.querySelector('#message').textContent = ''")
    hand.key("s", CONTROL)
    if text("#message").startswith("There is nothing"):
        return None
    return json.loads(saved_as("drawing.json"))


def strokes():
    saved = drawing()
    return saved["strokes"] if saved else []


def tool(name):
    hand.click(f"[data-tool={name}]")
    assert browser.run(f"document.querySelector('[data-tool={name}]').ariaPressed") == "true", name


def open_file(name, data):
    (folder / name).write_bytes(data)
    document = browser.call("DOM.getDocument")["root"]["nodeId"]
    node = browser.call("DOM.querySelector", nodeId=document, selector="#file")["nodeId"]
    browser.run("document.querySelector('#message').textContent = ''")
    browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(folder / name)])
    browser.wait("document.querySelector('#message').textContent !== ''")
    browser.frame()


def run_tests(name, found):
    """Runs the functions whose names begin with test_; prints what they return."""
    tests = [test for key, test in list(found.items()) if key.startswith("test_") and (options.only or "") in key]
    try:
        for test in tests:
            figures = test()
            if figures:
                print(f"{name}: {figures}")
            assert not browser.complaints, (test.__name__, browser.complaints[:3])
        outside = [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))]
        assert not outside, outside
    except AssertionError:
        print("the page's complaints:", browser.complaints)
        raise
    finally:
        browser.close()
    print(f"{name}: {len(tests)} tests, {path.stat().st_size:,} bytes of page, no complaint, no request")
