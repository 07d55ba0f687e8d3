#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes the code in small ways and reports which test notices each change.

Usage: mutants.py [options] FOLDER_OR_FILE...        e.g. mutants.py --seed 7 src/engine/force src/engine/la

Each mutant changes one place: a sign, an index, a constant, a comparison, a swapped argument, a
term or statement left out. Tests run until the first one fails, those named after the changed file
and folder first, the others from cheap to expensive as the last run of ctest measured them. A test
that takes longer than --timeout has noticed, too. Code that does not compile, mixes up types, or
compiles to the same object is not a mutant. The table goes to --out; sources are restored at the end.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys

NAME = r"[A-Za-z_][\w.]*(?:->\w+|\[[^\[\]]*\])*"
# What to look for, and what it becomes; %1, %2 are groups.
RULES = [
    (r" \+ ", [" - "]), (r" - ", [" + "]), (r" \* ", [" / "]), (r" / ", [" * "]),
    (r" \+= ", [" -= ", " = "]), (r" -= ", [" += ", " = "]), (r"([=(,?:] )-(?=[\w(])", ["%1"]),
    (r" < ", [" <= ", " >= "]), (r" > ", [" >= ", " <= "]), (r" <= ", [" < "]), (r" >= ", [" > "]),
    (r" == ", [" != "]), (r" != ", [" == "]), (r" && ", [" || "]), (r" \|\| ", [" && "]),
    (r"\b(?!0\.0\b)(\d+\.\d+)\b", ["(1.01 * %1)", "(-%1)"]), (r"\b0\.0\b", ["1.0"]),
    (r"(\d\.?\d*e-?\d+)\b", ["(10.0 * %1)", "(0.1 * %1)"]),
    (r"(?<=[\[ (])(\d)(?=[\] );,])", ["(%1 + 1)"]),
    (r"\[([ijkl])\]", ["[0]"]), (r"\[(\w+) ([*+-]) (\w+)\]", ["[%1]", "[%3]"]),
    (r" [+-] (?:" + NAME + r"(?:\([^()]*\))?|\d+\.?\d*)(?: [*/] " + NAME + r")*(?=[;,) ])", [""]),
    (r" [*/] " + NAME + r"(?=[;,) ])", [""]),
    (r"(\w+\()(" + NAME + r"), (" + NAME + r")(?=[,)])", ["%1%3, %2"]),
    (r"\bfmax\(", ["fmin("]), (r"\bfmin\(", ["fmax("]), (r"\bsin\(", ["cos("]),
    (r"\bcos\(", ["sin("]), (r"\btrue\b", ["false"]), (r"\bfalse\b", ["true"]),
    (r"\bif \((.*)\) \{$", ["if (!(%1)) {"]), (r"^( +)(?! |return|TR_TRY)[^=]*\);$", ["%1;"]),
    (r"^( +)" + NAME + r" [-+*/]?= .*;$", ["%1;"]), (r"\.x\b", [".y"]), (r"\.y\b", [".x"]),
    (r"\.z\b", [".x"]), (r"\b([a-z]\w*)1\b", ["%12"]), (r"\b([a-z]\w*)2\b", ["%11"]),
]
# Of loops, which most other changes would send out of bounds.
LOOPS = [(r" = 0;", [" = 1;"]), (r"( [<>] [^;]*);", ["%1 - 1;"])]


def masked(line):
    """The line with strings and comments blanked out."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: "\0" * len(m.group()), line)
    return re.sub(r"//.*", lambda m: "\0" * len(m.group()), line).rstrip("\0 \n")


def sites(path):
    """All (line number, [new lines]) that the rules make of a file."""
    found = {}
    for number, line in enumerate(path.read_text().split("\n")):
        text = masked(line)
        if not text or text[0] in "#}" and "#define" not in text or re.match(r" *\.\w+ = ", text) \
                or "tr_fail" in text or "tr_keep_" in text or "TR_FIELD" in text:
            continue
        for pattern, becomes in LOOPS if text.lstrip().startswith("for (") else RULES:
            for m in re.finditer(pattern, text):
                before = line[m.start():m.end()]
                for new in becomes:
                    for k in range(1, (m.lastindex or 0) + 1):
                        new = new.replace(f"%{k}", line[m.start(k):m.end(k)])
                    if new != before:
                        found.setdefault(number, []).append(line[:m.start()] + new + line[m.end():])
    return sorted(found.items())


def changed_lines(path, commit):
    """Numbers of the lines of a file that commits after this one have written."""
    shown = subprocess.run(["git", "diff", "-U0", commit, "--", path], check=True, capture_output=True,
                           text=True).stdout
    found = set()
    for start, count in re.findall(r"^@@ \S+ \+(\d+)(?:,(\d+))? @@", shown, re.M):
        found.update(range(int(start) - 1, int(start) - 1 + int(count or 1)))
    return found


class Tests:
    """Tests of a build folder, in the order in which they are likely to notice."""

    def __init__(self, build, labels, skip):
        self.build = build
        shown = json.loads(subprocess.run(
            ["ctest", "--test-dir", build, "--show-only=json-v1", "-L", labels, "-LE", "long"],
            check=True, capture_output=True, text=True).stdout)
        costs = pathlib.Path(build, "Testing/Temporary/CTestCostData.txt")
        self.cost = {}
        for line in costs.read_text().split("---")[0].splitlines() if costs.exists() else []:
            name, _, seconds = line.rsplit(" ", 2)
            self.cost[name] = float(seconds)
        self.command, self.target, self.settings = {}, {}, {}
        for test in shown["tests"]:
            name, command = test["name"], test.get("command")
            if command and not (skip and re.search(skip, name)):
                own = pathlib.Path(command[0]).name
                self.command[name] = command
                self.target[name] = own if own.startswith(name.split("/")[0] + "_") else "tests"
                properties = {p["name"]: p["value"] for p in test["properties"]}
                variables = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
                self.settings[name] = {"cwd": properties.get("WORKING_DIRECTORY", build),
                                       "env": {**os.environ, **variables}}

    def ordered(self, path):
        below = path.parts[path.parts.index("src") + 1:]
        folder, stem = below[below[0] in ("engine", "coupling", "instruments")], path.stem

        def key(name):
            own, _, test = name.partition("/")
            near = 0 if stem in test and own == folder else 1 if stem in test else \
                2 if own == folder or folder in test else 3
            return near, self.cost.get(name, 1.0)
        return sorted(self.target, key=key)

    def run(self, name, timeout):
        """How a test has noticed, or None."""
        try:
            ran = subprocess.run(self.command[name], timeout=timeout, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, **self.settings[name])
        except subprocess.TimeoutExpired:
            return name + " (does not end)"
        return name if ran.returncode not in (0, 77) else None  # 77: skipped

    def first_failure(self, path, timeout):
        """The first test that notices, or None."""
        names, size = self.ordered(path), 4
        while names:
            batch, names, size = names[:size], names[size:], min(4 * size, 48)
            targets = sorted({self.target[name] for name in batch})
            built = subprocess.run(["cmake", "--build", self.build, "--target", *targets],
                                   capture_output=True)
            if built.returncode != 0:
                return "does not link"
            with concurrent.futures.ThreadPoolExecutor(2) as two:
                jobs = [two.submit(self.run, name, timeout) for name in batch]
                for job in jobs:
                    if job.result() is not None:
                        two.shutdown(cancel_futures=True)
                        return job.result()
        return None


def objects(build, path):
    found = pathlib.Path(build).glob(f"src/**/{path.parent.name}/{path.name}.o")
    return [p.read_bytes() for p in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("places", nargs="+", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20, help="mutants to try (default 20)")
    parser.add_argument("--since", metavar="COMMIT", help="change only lines written after it")
    parser.add_argument("--build", default="build", help="build folder (default build)")
    parser.add_argument("--labels", default="unit|family|glue|scenario", help="of tests to run")
    parser.add_argument("--skip", default="", help="tests to leave out, a regular expression")
    parser.add_argument("--timeout", type=int, default=300, help="of a test [s]")
    parser.add_argument("--out", default="mutants.md", help="table (default mutants.md)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # sources are restored then, too
    files = sorted(f for place in options.places
                   for f in ([place] if place.is_file() else place.rglob("*.[ch]")))
    every = [(path, *site) for path in files for site in sites(path)]
    if options.since:
        new = {path: changed_lines(path, options.since) for path in files}
        every = [place for place in every if place[1] in new[place[0]]]
    tests = Tests(options.build, options.labels, options.skip)
    chance = random.Random(options.seed)
    chance.shuffle(every)
    tried = survived = 0
    for path, number, choices in every:
        if tried == options.count:
            break
        text = path.read_text()
        lines = text.split("\n")
        old, new = lines[number], chance.choice(choices)
        lines[number] = new
        before = objects(options.build, path)
        try:
            path.write_text("\n".join(lines))
            built = subprocess.run(
                ["cmake", "--build", options.build, "--target", "trammel_static"],
                capture_output=True)
            if built.returncode != 0 or b"-Wint-conversion" in built.stdout or \
                    b"-Wincompatible-pointer" in built.stdout or \
                    (before and objects(options.build, path) == before):
                continue
            noticed = tests.first_failure(path, options.timeout)
        finally:
            path.write_text(text)
        tried, survived = tried + 1, survived + (noticed is None)
        row = (f"| {path}:{number + 1} | `{old.strip()}` -> `{new.strip()}` | "
               f"{noticed or '**survived**'} |")
        print(row, flush=True)
        with open(options.out, "a") as out:
            print(row, file=out)
    print(f"{tried} mutants of {len(every)} lines, {survived} survived")


if __name__ == "__main__":
    main()
