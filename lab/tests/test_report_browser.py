"""The page in headless Chromium: what a reader's console, window and eyes would meet."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import results

from weir_lab import report
from weir_lab.core import built

pytestmark = pytest.mark.live

END_TO_END = built.REPOSITORY / "tests" / "end_to_end"
# WCAG 2.2, 1.4.3 and 1.4.11.
CONTRAST_OF_TEXT, CONTRAST_OF_SHAPES = 4.5, 3.0

CONTRASTS = """(() => {
  const luminance = (color) => {
    const linear = (one) => (one /= 255) <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4;
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(linear);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (!/, 0\\)$|transparent/.test(color)) return color;
    }
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + .05) / (y + .05);
  };
  const found = [];
  const words = 'p, li, th, td, small, a, h1, h2, h3, h4, h5, dt, dd, pre, caption, summary, text';
  const shapes = '.line, .whisker, .mark, rect.bar';
  for (const one of document.querySelectorAll(`${words}, ${shapes}`)) {
    const drawn = one.closest('svg'), style = getComputedStyle(one), shape = drawn && one.tagName !== 'text';
    const color = !drawn ? style.color : shape && style.stroke !== 'none' ? style.stroke : style.fill;
    if (color === 'none') continue;
    const at = ratio(color, behind(drawn ? drawn.parentElement : one));
    if (at < (shape ? SHAPES : TEXT))
      found.push(`${one.tagName}.${one.getAttribute('class')} ${color} ${at.toFixed(2)}`);
  }
  return [...new Set(found)];
})()""".replace("SHAPES", str(CONTRAST_OF_SHAPES)).replace("TEXT", str(CONTRAST_OF_TEXT))

# Of plots that are seen at this width: labels that run out of the drawing, and labels that lie on each other.
CLASHES = """(() => {
  const found = [];
  for (const plot of document.querySelectorAll('svg.plot')) {
    const whole = plot.getBoundingClientRect();
    if (!whole.width) continue;
    const labels = [...plot.querySelectorAll('text')].map((one) => [one.textContent, one.getBoundingClientRect()]);
    labels.forEach(([words, at], number) => {
      const out = Math.max(whole.left - at.left, at.right - whole.right, whole.top - at.top, at.bottom - whole.bottom);
      if (out > 1) found.push(`${words} is cut off`);
      for (const [other, there] of labels.slice(number + 1)) {
        const wide = Math.min(at.right, there.right) - Math.max(at.left, there.left);
        const high = Math.min(at.bottom, there.bottom) - Math.max(at.top, there.top);
        if (wide > 1 && high > at.height / 3) found.push(`${words} lies on ${other}`);
      }
    });
  }
  return [...new Set(found)];
})()"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The one that the project's pages are tested with."""
    if not shutil.which("chromium"):
        pytest.skip("chromium is not installed: apt-get install chromium, or WEIR_WANT_BROWSER=1 ./run lab-test --live")
    if not built.weir().is_file():
        pytest.skip("weir is not built: ./run build")
    os.environ.setdefault("WEIR_BINARY", str(built.weir()))
    sys.path.insert(0, str(END_TO_END))
    try:
        with importlib.import_module("browser").Browser() as one:
            yield one
    finally:
        sys.path.remove(str(END_TO_END))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder: Path = tmp_path_factory.mktemp("pages")
    report.write(results.full(), folder / "report.html")
    report.write(results.empty(), folder / "empty.html")
    report.write(results.at_rates(), folder / "rates.html")
    report.write_comparison(results.full(), results.full(seed=1, slower=1.3), folder / "comparison.html")
    return {path.stem: path.as_uri() for path in folder.glob("*.html")}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["report", "rates", "empty", "comparison"])
def test_a_page_is_quiet_fits_and_can_be_read(
    browser: Any, pages: dict[str, str], name: str, width: int, scheme: str
) -> None:
    browser.look(width, 900, scheme, phone=width < 500)
    browser.open(pages[name])
    assert browser.complaints() == []
    assert [url for url, _ in browser.responses()] == [pages[name]]  # nothing else was asked for
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(CONTRASTS) == []


@pytest.mark.parametrize("name", ["report", "rates"])
@pytest.mark.parametrize("width", [360, 1280])
def test_labels_of_plots_have_room(browser: Any, pages: dict[str, str], width: int, name: str) -> None:
    browser.look(width, 900, phone=width < 500)
    browser.open(pages[name])
    assert browser.evaluate(CLASHES) == []


def test_on_a_phone_no_table_is_wider_than_the_page_and_each_figure_names_its_column(
    browser: Any, pages: dict[str, str]
) -> None:
    for name in ("report", "rates", "comparison"):
        browser.look(390, 900, phone=True)
        browser.open(pages[name])
        wide = "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"
        assert browser.evaluate(wide) == 0
        named = "[...document.querySelectorAll('td.number')].every((one) => one.dataset.column)"
        assert browser.evaluate(f"document.querySelectorAll('td.number').length > 20 && {named}")


def test_each_plot_is_shown_once_at_each_width(browser: Any, pages: dict[str, str]) -> None:
    for width in (360, 1280):
        browser.look(width, 900, phone=width < 500)
        browser.open(pages["report"])
        shown = browser.evaluate(
            "[...document.querySelectorAll('svg.plot:not(.small)')].filter((one) => "
            "one.getBoundingClientRect().width).length"
        )
        assert shown == browser.evaluate("document.querySelectorAll('svg.plot:not(.small)').length / 2") > 5


def test_tables_fit_on_a_page_across_and_paper_is_light(browser: Any, pages: dict[str, str]) -> None:
    """A4 across, half an inch of margin, in CSS pixels."""
    for name in ("report", "comparison"):
        browser.look(1026, 700, "dark")
        browser.call("Emulation.setEmulatedMedia", media="print")
        browser.open(pages[name])
        assert browser.evaluate("document.documentElement.scrollWidth") <= 1026
        assert browser.evaluate("getComputedStyle(document.body).color") == "rgb(22, 36, 43)"
    browser.call("Emulation.setEmulatedMedia", media="")


def test_what_is_folded_away_is_printed(browser: Any, pages: dict[str, str]) -> None:
    browser.open(pages["report"])
    browser.call("Page.printToPDF")
    assert browser.evaluate("[...document.querySelectorAll('details')].every((one) => one.open)")
