#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/papers anew elsewhere and compares. Usage: check_papers.py ROOT PROGRAMS PAGE...

Pages agree if their words do, and their numbers as far as they are meant:
- after "<" or "~", which stand before powers of ten of rounding, within a factor of 100, and of
  squares of rounding, below 1e-20, within 100 squared (1000 among kernels of OpenBLAS);
- whole numbers exactly up to 50, and to 2 percent above (steps of adaptive methods);
- others to 10 percent, which is one unit of the last of two digits.
On pages that say FOLLOWS_ROUNDING of themselves, as other BLAS kernels or versions of SUNDIALS make
other steps of theirs:
- whole numbers within a factor of 1.5 (1.16 among 16 pairs of OpenBLAS kernel and C library), and
  below 100, as counts of Jacobians are, within a factor of 2 (1.58) or by 5;
- others within a factor of 1000 (83 among these: an error that changes its sign may be any small).
Figures are well-formed SVG with the same words and as many lines; each is shown by a page.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

NUMBER = re.compile(r"(?:[<~] ?)?(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
FOLLOWS_ROUNDING = "Numbers depend on rounding"
SVG = "{http://www.w3.org/2000/svg}"


def is_whole(text):
    return text.lstrip("+-").isdigit()


def within(factor, x, y):
    return x == y or (x > 0 and y > 0 and max(x, y) <= factor * min(x, y))


def rounded_numbers_agree(ours, theirs):
    x, y = (float(text.lstrip("<~ ")) for text in (ours, theirs))
    if is_whole(ours) and is_whole(theirs):
        return within(2 if max(x, y) < 100 else 1.5, x, y) or abs(x - y) <= 5
    return within(1000, x, y)


def numbers_agree(ours, theirs):
    rounding = ours[0] in "<~", theirs[0] in "<~"
    x, y = (float(text.lstrip("<~ ")) for text in (ours, theirs))
    if all(rounding):
        return within(111 if max(x, y) > 1e-20 else 111**2, x, y)
    if any(rounding):
        return False
    if is_whole(ours) and is_whole(theirs):
        return x == y or (abs(x) > 50 and abs(x - y) <= 0.02 * abs(x))
    return abs(x - y) <= 0.101 * max(abs(x), abs(y))


def words(text):
    """The text without numbers; widths of columns depend on them and do not count."""
    return re.sub(r"-{3,}:?", "---", re.sub(r"\s+", " ", NUMBER.sub("0", text))).split(" ")


def compare_page(name, ours, theirs):
    complaints = []
    agree = rounded_numbers_agree if FOLLOWS_ROUNDING in " ".join(theirs.split()) else numbers_agree
    if words(ours) != words(theirs):
        pairs = zip(words(ours), words(theirs))
        where = next((i for i, (x, y) in enumerate(pairs) if x != y), -1)
        near = " ".join(words(ours)[max(0, where - 8):where + 3])
        complaints.append(f"{name}: words differ near '{near}'")
    else:
        for x, y in zip(NUMBER.findall(ours), NUMBER.findall(theirs)):
            if not agree(x, y):
                complaints.append(f"{name}: {x} where the page has {y}")
    return complaints


def look_at_figure(path):
    """What is to agree: words (without numbers), and how many series there are."""
    root = xml.parse(path).getroot()
    if root.tag != SVG + "svg" or not root.findall(f".//{SVG}path"):
        raise ValueError("no drawing")
    texts = ["".join(node.itertext()) for node in root.iter(SVG + "text")]
    kept = [re.sub(r"[-\u2212\d.]+", "0", text) for text in texts if re.search("[a-z]", text)]
    return [text for text in kept if "not shown" not in text]


def compare_figures(ours, theirs, pages):
    complaints = []
    names = [{p.name for page in pages for p in (folder / "figures").glob(f"{page}-*.svg")}
             for folder in (ours, theirs)]
    for name in sorted(names[0] ^ names[1]):
        why = "not committed" if name in names[0] else "no longer made"
        complaints.append(f"figures/{name}: {why}")
    shown = "".join(page.read_text(encoding="utf-8") for page in ours.glob("*.md"))
    for name in sorted(names[0] & names[1]):
        try:
            if look_at_figure(ours / "figures" / name) != look_at_figure(theirs / "figures" / name):
                complaints.append(f"figures/{name}: other words")
        except (xml.ParseError, ValueError) as error:
            complaints.append(f"figures/{name}: {error}")
        if f"(figures/{name})" not in shown:
            complaints.append(f"figures/{name}: no page shows it")
    return complaints


def main():
    root, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    committed = root / "docs" / "papers"
    complaints = []
    with tempfile.TemporaryDirectory() as scratch:
        written = pathlib.Path(scratch)
        for page in sys.argv[3:]:
            program, name = f"paper_{page}", f"paper-{page}.md"
            if page == "index":  # of the pages that are there
                program, name = "index", "README.md"
                for other in committed.glob("paper-*.md"):
                    shutil.copy(other, written)
            subprocess.run([programs / program, root, written], check=True)
            texts = [(folder / name).read_text(encoding="utf-8") for folder in (written, committed)]
            complaints += compare_page(name, *texts)
        complaints += compare_figures(written, committed, sys.argv[3:])
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)


main()
