#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/manual/ from what the registries say. Usage: manual.py TRAMMEL [--check]

With --check nothing is written: it fails, with the differences, when a page is not what the command
gives.
"""
import difflib
import json
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "manual"
MARK = "<!-- Made by tools/manual.py from `trammel {} --json`; do not edit. -->"


def listing(trammel, command):
    done = subprocess.run([trammel, command, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines]


# Said once at the head of a page instead of in every row: see PLACES.
PLACE = [r",? in the world at the start", r",? in (the frame|axes) of (the )?body( [12])?(?=$|[,;.:])",
         r", in its (axes|frame)", r"; no point given: the frame origin of (the )?body( 2)?",
         r"; default: (its (frame )?origin|the frame origin of body 2)",
         r"; default: where (the pin|point[12]|axis[12]) is at the start",
         r", instead of [a-z_]*\d?( and axis2)?(?=$|[,;])", r", over time(?=$|;)"]
PLACES = ["Points and directions without a number are in the world at the start, those with 1 or 2 in the frame of",
          "that body; `world1` and `world_axis1` belong to body 1, but are in the world at the start. Each is given",
          "once; what is not given follows from the start. Points default to the frame origin of body 2 (with",
          "`point1` and `world1`: of body 1); in space, directions without a default are required.", ""]
TYPES = {"number": "", "text": "string", "whole number": "integer", "true or false": "boolean",
         "number or a function of time": "f(t)", "number or a law": "law", "list of numbers": "list"}


def default(parameter):
    """What holds if a parameter is not given; empty where its meaning says so."""
    value, kind = parameter["default"], parameter["type"]
    if parameter.get("required") or value is None or kind in ("text", "list of numbers"):
        return "required" if parameter.get("required") else ""
    if isinstance(value, str):
        return f'default `"{value}"`'
    if kind == "true or false":
        return "default `true`" if value else "default `false`"
    return f"default {value:g}"


def value(parameter):
    kind = parameter["type"]
    words = TYPES.get(kind, kind.partition(" ")[0]), parameter["unit"] or ""
    return ", ".join(word for word in words if word)


def plain(text):
    """Without what columns of their own say; in the words of the other pages."""
    text = re.sub(r"; (dense|continuous|not orthonormal)$", "", text)
    return text.replace("that stands for", "to use as")


def meaning(parameter):
    text = parameter["meaning"]
    for phrase in PLACE:
        text = re.sub(phrase, "", text)
    text = re.sub(r"; (default: that of axis1 or axis2, )?one is needed", "", text)
    if re.match(r"(of|at|by|to|about|that|while|without|added) ", text):  # as of which thing: length of the rod
        text = parameter["name"].strip("0123456789").removeprefix("world_").replace("_", " ") + " " + text
    text = text.removeprefix("or a ").removesuffix(", one of the two is needed")
    text = re.sub(r"\bagainst (?=(the )?body)", "relative to ", plain(text))
    return text + ("; " + default(parameter) if default(parameter) and "default:" not in text else "")


def parameters(entries):
    """A list. Parameters with the same value and meaning share an entry: point, point1 and point2 of a pin."""
    rows = []
    for p in entries:
        row = [f"`{p['name']}`", value(p), meaning(p)]
        same = [r for r in rows if r[1] == row[1] and row[2] in (r[2], r[2].split("; ")[0])]
        if same:
            same[0][0] += ", " + row[0]
        else:
            rows.append(row)
    return [bullet(*row) for row in rows]


def bullet(names, kind, text):
    return f"- {names}{f' ({kind})' if kind else ''}: {text}"


WORDS = {2: "Planar", 3: "Spatial"}


def by_dimension(title, entries, section):
    """A section for each entry, separately for planar and spatial models; equal ones are printed once."""
    page, seen = [], {}
    for dim, word in WORDS.items():
        page += ["", f"## {word} {title}"]
        for entry in (e for e in entries if e["dim"] == dim):
            text = [section(entry), "", *parameters(entry["parameters"])]
            page += ["", f"### {entry['name']}", ""]
            page += ["As in planar models."] if seen.get(entry["name"]) == text else text
            seen.setdefault(entry["name"], text)
    return page


def joint_facts(joint):
    count = len(joint["row_units"])
    facts = [f"{count} row{'' if count == 1 else 's'} [{', '.join(joint['row_units'])}]"]
    if joint["nonholonomic_rows"] == count:
        facts.append("nonholonomic")
    elif joint["nonholonomic_rows"] > 0:
        facts.append(f"the last {joint['nonholonomic_rows']} nonholonomic")
    if joint["depends_on_time"]:
        facts.append("depends on time")
    return ", ".join(facts)


VALUES = ["Values are numbers in the unit in parentheses, or what is named there; f(t) is a number or a function of",
          "time, a law a number or a [law](../theory/forces.md#laws)."]


def joints_page(trammel):
    joints = listing(trammel, "joints")["joints"]
    page = ["# Joints", "", "`m:joint { kind, body 1, body 2, name = ..., parameters }`. Keys of every joint:",
            "[parts.md](parts.md#joint). Equations: [planar](../theory/joints.md),",
            "[spatial](../theory/spatial-joints.md). Reactions: [guide](../guide/reactions.md).", "",
            *PLACES, *VALUES]

    def section(joint):
        variables = ", ".join(f"`{name}` [{unit}]" for name, unit in
                              zip(joint.get("variables", []), joint.get("variable_units", [])))
        return (f"{sentence(joint['summary'])} {joint_facts(joint)}. "
                f"{f'Variables: {variables}. ' if variables else ''}Reaction: {joint['reaction_at']}.")

    return page + by_dimension("joints", joints, section)


def sentence(text):
    return text[0].upper() + text[1:] + "."


def forces_page(trammel):
    forces = listing(trammel, "forces")["forces"]
    page = ["# Forces", "", "`m:force { kind, bodies, name = ..., parameters }`. Equations:",
            "[planar](../theory/forces.md), [spatial](../theory/spatial-forces.md). Points, directions and values are as for",
            "[joints](joints.md)."]

    def section(force):
        return sentence(force["summary"]) + (" One body." if force["bodies"] == 1 else " Two bodies.")

    return page + by_dimension("forces", forces, section)


def both(planar, spatial):
    """Fields of both dimensions once; the others with their dimension."""
    rows = {2: [(f"`{p['name']}`", value(p), meaning(p)) for p in planar],
            3: [(f"`{p['name']}`", value(p), meaning(p)) for p in spatial]}
    common = [row for row in rows[2] if row in rows[3]]
    return [bullet(*row) for row in common] + [
        bullet(row[0] + f", {WORDS[dim].lower()}", *row[1:])
        for dim in WORDS for row in rows[dim] if row not in common]


def parts_page(trammel):
    parts = listing(trammel, "fields")["parts"]
    page = ["# Models, bodies, frames", "",
            "Fields of `model{}`, `m:body{}`, `m:frame{}`, `m:port{}`, and those of every joint and force. Use:",
            "[model files](../guide/model-files.md), [bodies](../guide/bodies.md), [3D](../guide/spatial.md)."]
    for part in (p for p in parts if p["dim"] == 2):
        spatial = next(p for p in parts if p["dim"] == 3 and p["name"] == part["name"])
        page += ["", f"## {part['name']}", "", sentence(part["summary"]), "",
                 *both(part["parameters"], spatial["parameters"])]
    return page


def yes(flag):
    return "yes" if flag else "no"


TRAITS = {"redundant_rows": "redundant rows", "singular_mass": "singular mass",
          "nonholonomic": "nonholonomic rows", "nonideal": "friction", "singular_pose": "singular poses"}


def limits(entry):
    """What is not supported; then what costs or depends on units."""
    missing = [words for key, words in TRAITS.items() if not entry[key]]
    notes = ["dense"] if entry["dense"] else []
    notes += ["depends on units"] if entry["depends_on_units"] else []
    return "; ".join([*(["no " + ", ".join(missing)] if missing else []), *notes])


def option(entry):
    """An option of a method, with what holds where it is left out."""
    value = entry["left_out"] or f"{entry['default']:g} {entry['unit']}".strip()
    return f"`{entry['name']}` ({value})"


def made_of(method):
    """Formulation, stabilization and projections of a method, without what is none."""
    stages = method["stage_projection"], method["step_projection"]
    parts = [method["formulation"] if method["formulation"] not in (method["name"], "lagrange") else "",
             method["stabilization"],
             f"{stages[0]} in stages" if stages[0] != "none" else "",
             f"{stages[1]} after steps" if stages[1] != "none" else "",
             method["integrator"] if method["integrator"] != method["name"] else ""]
    return ", ".join(part for part in parts if part and part != "none")


def parts_list(words, entries, *more):
    """A section with a list of registered parts: name, what it is, and what each of `more` gives."""
    return ["", f"## {words}", "",
            *("; ".join([f"- `{e['name']}`: {plain(e['summary'])}", *filter(None, (cell(e) for cell in more))])
              for e in entries)]


def prefixed(word, text):
    return f"{word} {text}" if text else ""


def properties(basis):
    words = {"orthonormal": basis["orthonormal"], "continuous": basis["continuous"],
             "depends on units": basis["depends_on_units"]}
    return ", ".join(word for word, holds in words.items() if holds)


GROUPS = {"drifts": "Methods at acceleration level, which drift", "soft": "Soft methods",
          "velocities exact": "Methods with exact velocities", "projected": "Projected methods",
          "integrator": "Methods that are integrators"}


def methods_page(trammel):
    lists = listing(trammel, "methods")
    page = ["# Methods", "",
            "A method is a choice of formulation, stabilization, stage and step projection, with any explicit",
            "integrator and the formulation `lagrange` unless it names others. Which to choose, and links to the equations",
            "and their sources: [guide/methods.md](../guide/methods.md).", "",
            "Entries end with what they consist of, their options (and defaults) and limits. Models that a method does not",
            "support are refused before the run, with a remedy; without support for *singular poses*, a step that ends in",
            "one ends the run. *Friction*: `s:nonideal` with reactions."]
    groups = {}
    for m in lists["methods"]:
        groups.setdefault(m["group"], []).append(m)
    for group, methods in groups.items():
        page += parts_list(GROUPS[group], methods, lambda m: prefixed("consists of", made_of(m)),
                           lambda m: prefixed("options", ", ".join(option(o) for o in m["options"])), limits)
    page += ["", "## Formulations", "", "Those of methods of the same name, and two more. Their limits:", ""]
    for words in dict.fromkeys(limits(f) for f in lists["formulations"]):
        names = ", ".join(f"`{f['name']}`" for f in lists["formulations"] if limits(f) == words)
        page.append(f"- {words or 'none'}: {names}")
    page += parts_list("Stabilizations", lists["stabilizations"])
    page += parts_list("Stage projections", lists["stage_projections"],
                       lambda s: f"projection `{s['projection']}`" if s["projection"] else f"transform `{s['carry']}`")
    page += parts_list("Step projections", lists["projections"],
                       lambda p: "velocities only" if p["velocities_only"] else "", limits)
    page += parts_list("Velocity transforms", lists["carries"], limits)
    return page + parts_list("Bases", lists["bases"], properties)


def refused(integrator):
    """The settings that belong together in one word."""
    text = plain(", ".join(integrator["refuses"]))
    return text.replace("method, stabilization, stage_projection, step_projection", "other methods")


def integrators_page(trammel):
    integrators = listing(trammel, "integrators")["integrators"]
    rows = [[f"`{i['name']}`", i["summary"], i["order"], yes(i["adaptive"]),
             ("about " if i["implicit"] else "") + str(i["evaluations"]), f"h^{i['dense_order']}"]
            for i in integrators]
    page = ["# Integrators", "", "Equations and sources: [explicit](../theory/integrators.md),",
            "[generalized-alpha](../theory/generalized-alpha.md), [radau5](../theory/radau5.md), [ida](../theory/ggl.md),",
            "[SUNDIALS](../theory/sundials.md), [rattle](../theory/symplectic.md), [park_chiou](../theory/park-chiou.md).", ""]
    page += table(["integrator", "", "order", "adaptive", "evaluations per step",
                   "error between steps"], rows)
    page += ["", "## Implicit integrators", "", "When to use them: [guide/implicit.md](../guide/implicit.md).", ""]
    groups = {}
    for i in integrators:
        if i["implicit"] and (i["forms"] or i["refuses"]):
            groups.setdefault((", ".join(i["forms"]), refused(i)), []).append(f"`{i['name']}`")
    return page + table(["integrator", "forms, the default first", "refuses"],
                        [[", ".join(names), *facts] for facts, names in groups.items()])


def simulate_page(trammel):
    settings = listing(trammel, "methods")["settings"]
    page = ["# Settings of a simulation", "",
            "Keys of `m:simulate { ... }`; options of `trammel run`, with `--` before them and `-` for `_`; members",
            "of `trSimDef`. A setting that is *read by* some kinds is an error with other choices.", ""]

    def line(s):
        if s["option"]:
            text = re.sub("; (default|0):.*", "", s["meaning"])
            text += "; default: " + (s["left_out"] or f"{s['default']:g} {s['unit']}".strip())
        else:
            text = meaning(s)
        readers = ", ".join(dict.fromkeys(f"`{r['kind']}`" for r in s["read_by"]))
        return bullet(f"`{s['name']}`", value(s), text) + (f"; read by {readers}" if readers else "")

    return page + [line(s) for s in settings]


PAGES = {
    "forces": ("forces", forces_page),
    "integrators": ("integrators", integrators_page),
    "joints": ("joints", joints_page),
    "methods": ("methods", methods_page),
    "parts": ("fields", parts_page),
    "simulate": ("methods", simulate_page),
}


def check(path, text):
    """Whether the page is as it should be; says how it differs."""
    there = path.read_text(encoding="utf-8") if path.exists() else ""
    sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), text.splitlines(True),
                                               f"{path.name} (committed)", f"{path.name} (made)"))
    return there == text


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    good = True
    for name, (command, make) in PAGES.items():
        text = "\n".join([MARK.format(command), "", *make(sys.argv[1])]) + "\n"
        path = FOLDER / f"{name}.md"
        if len(sys.argv) == 3:
            good = check(path, text) and good
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    stray = sorted({p.name for p in FOLDER.glob("*.md")} - {f"{name}.md" for name in PAGES})
    if stray:
        print(f"docs/manual: {', '.join(stray)} is not made by this script")
        good = False
    if not good:
        sys.exit("docs/manual is not what the registries give; run tools/manual.py BUILD/trammel")


main()
