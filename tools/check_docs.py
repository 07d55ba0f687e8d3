#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what the pages say against the product. Usage: check_docs.py ROOT TRAMMEL PENDULUM

- Relative links lead to files, and to headings where they have a #.
- A block after `<!-- from: FILE -->` stands in that file as it is.
- A block after `<!-- printed by: pendulum -->` is what the program of guide/c-api.md prints.
- A Lua block that returns a model or a system runs, and so does a line `trammel run models/...`.
- A block after `<!-- shaped as: trammel ... -->` is what the command prints but for its numbers, which
  may differ from machine to machine.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(r"(?:^<!-- (from|printed by): (\S+) -->\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
SHAPE = re.compile(r"^<!-- shaped as: trammel ([^\n]*) -->\n```\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"<?-?\d+(\.\d+)?(e[+-]\d+)?")
COMMAND = re.compile(r"^    (trammel run models/.*)$", re.M)


class Checker:
    def __init__(self, root, trammel, pendulum):
        self.root, self.trammel, self.pendulum = root, trammel, pendulum
        self.complaints, self.checked = [], 0

    def expect(self, good, path, what):
        self.checked += 1
        if not good:
            self.complaints.append(f"{path.relative_to(self.root)}: {what}")

    def anchors(self, path):
        headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
        return {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings}

    def check_links(self, path, text):
        for link in LINK.findall(re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
            if re.match(r"\w+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            self.expect(target.exists(), path, f"the link {link} leads nowhere")
            if anchor and target.exists():
                self.expect(anchor in self.anchors(target), path, f"{link}: no such heading")

    def run(self, folder, path, what, *arguments):
        done = subprocess.run([self.trammel, *arguments], cwd=folder, capture_output=True, text=True)
        self.expect(done.returncode == 0, path, f"{what}: {done.stderr.strip()}")

    def check_blocks(self, folder, path, text):
        for relation, source, language, block in BLOCK.findall(text):
            if relation == "from":
                code = (self.root / source).read_text(encoding="utf-8")
                self.expect(block in code, path, f"a block is not in {source} as it stands here")
            elif relation == "printed by":
                done = subprocess.run([self.pendulum], capture_output=True, text=True)
                self.expect(done.returncode == 0 and done.stdout == block, path,
                            f"{source} prints something else:\n{done.stdout}{done.stderr}")
            elif language == "lua" and block.rstrip().endswith(("return m", "return s")):
                (folder / "page.lua").write_text(block, encoding="utf-8")
                first = block.partition("\n")[0]
                self.run(folder, path, f"the model '{first}'", "run", "page.lua", "--quiet")

    def check_shapes(self, folder, path, text):
        def shape(printed):
            return NUMBER.sub("#", printed).split()

        for arguments, block in SHAPE.findall(text):
            done = subprocess.run([self.trammel, *arguments.split()], cwd=folder,
                                  capture_output=True, text=True)
            self.expect(done.returncode == 0 and shape(done.stdout) == shape(block), path,
                        f"trammel {arguments} prints something else:\n{done.stdout}{done.stderr}")

    def check_commands(self, folder, path, text):
        for line in COMMAND.findall(text):
            words = line.split()
            self.run(folder, path, line, *words[1:], "--quiet")

    def check_page(self, folder, path):
        text = path.read_text(encoding="utf-8")
        self.check_links(path, text)
        self.check_blocks(folder, path, text)
        self.check_commands(folder, path, text)
        self.check_shapes(folder, path, text)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    checker = Checker(root, sys.argv[2], sys.argv[3])
    pages = sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "models").symlink_to(root / "models")
        for path in pages:
            checker.check_page(folder, path)
    if checker.checked < 100:
        sys.exit(f"{root}: hardly any pages found; is this the root of the repository?")
    print("\n".join(checker.complaints))
    sys.exit(1 if checker.complaints else 0)


main()
