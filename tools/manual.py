#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/manual/ from what the registries say. Usage: manual.py TRAMMEL [--check]

With --check nothing is written: it fails, with the differences, when a page is not what the command
gives.
"""
import difflib
import json
import pathlib
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


def default(parameter):
    if parameter.get("required"):
        return "required"
    value, kind = parameter["default"], parameter["type"]
    if isinstance(value, str):
        return f'`"{value}"`'
    if value is None or kind == "text":
        return "optional"
    if kind.startswith("vector"):
        return "{" + ", ".join([f"{value:g}"] * (kind.count(",") + 1)) + "}"
    return "optional" if kind == "list of numbers" else f"{value:g}"


def parameters(entries):
    rows = [[f"`{p['name']}`", p["type"], p["unit"], default(p), p["meaning"]] for p in entries]
    return table(["parameter", "type", "unit", "default", "meaning"], rows)


WORDS = {2: "planar", 3: "spatial"}


def heading(entry):
    """A name may stand in both dimensions, so that the dimension is part of the heading."""
    return f"{entry['name']} ({WORDS[entry['dim']]})"


def overview(what, entries, *columns):
    """A table of links to the sections that follow."""
    rows = [[f"[`{e['name']}`](#{e['name']}-{WORDS[e['dim']]})", *(column(e) for _, column in columns)]
            for e in entries]
    return table([what, *(title for title, _ in columns)], rows)


def by_dimension(title, entries, section, *columns):
    """An overview of each dimension, then a section for each entry."""
    page = []
    for dim, word in WORDS.items():
        page += ["", f"## {word.capitalize()} {title}", ""]
        page += overview("part" if title == "parts" else "kind",
                         [e for e in entries if e["dim"] == dim], *columns)
    for entry in entries:
        page += ["", f"### {heading(entry)}", "", *section(entry), ""]
        page += parameters(entry["parameters"])
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


def joints_page(trammel):
    joints = listing(trammel, "joints")["joints"]
    page = ["# Joints", "", "`m:joint { kind, body 1, body 2, name = ..., parameters }`. Points and",
            "directions are given either in the world at the start (`point`, `axis`, `world1`, ...)",
            "or in body axes from the frame's origin (`point1`, `axis1`, ...). All kinds take `name`,",
            "`frame1`, `frame2` and `report` besides: [planar](parts.md#joint-planar),",
            "[spatial](parts.md#joint-spatial). The equations are in",
            "[theory/joints.md](../theory/joints.md) and",
            "[theory/spatial-joints.md](../theory/spatial-joints.md), what a reaction is in",
            "[guide/reactions.md](../guide/reactions.md)."]

    def section(joint):
        return [f"It {joint['summary']}.", "",
                f"Equations: {joint_facts(joint)}. Reaction: at {joint['reaction_at']}."]

    return page + by_dimension("joints", joints, section, ("equations", joint_facts),
                               ("does", lambda j: j["summary"]))


def sentence(text):
    return text[0].upper() + text[1:] + "."


def force_facts(force):
    bodies = "on one body" if force["bodies"] == 1 else "between two bodies"
    return bodies + (" and is conservative" if force["conservative"] else "")


def forces_page(trammel):
    forces = listing(trammel, "forces")["forces"]
    page = ["# Forces", "", "`m:force { kind, bodies, name = ..., parameters }`. The equations are in",
            "[theory/forces.md](../theory/forces.md) and",
            "[theory/spatial-forces.md](../theory/spatial-forces.md)."]

    def section(force):
        return [f"{sentence(force['summary'])} It acts {force_facts(force)}."]

    return page + by_dimension("forces", forces, section, ("acts", force_facts),
                               ("is", lambda f: f["summary"]))


def parts_page(trammel):
    parts = listing(trammel, "parts")["parts"]
    page = ["# Models, bodies, frames", "",
            "What `model{}`, `m:body{}`, `m:frame{}` and `m:port{}` take, and what every joint and every force",
            "takes whatever its kind. How to use them is said in",
            "[guide/model-files.md](../guide/model-files.md), [guide/bodies.md](../guide/bodies.md)",
            "and [guide/spatial.md](../guide/spatial.md)."]
    return page + by_dimension("parts", parts, lambda p: [sentence(p["summary"])],
                               ("is", lambda p: p["summary"]))


def yes(flag):
    return "yes" if flag else "no"


TRAITS = {"redundant_rows": "redundant rows", "singular_mass": "singular mass",
          "nonholonomic": "nonholonomic", "nonideal": "friction", "singular_pose": "singular pose",
          "dense": "dense", "depends_on_units": "depends on units"}


def traits(entry):
    return [yes(entry[key]) for key in TRAITS]


def option(entry):
    """An option of a method, with what holds where it is left out."""
    value = entry["left_out"] or f"{entry['default']:g} {entry['unit']}".strip()
    return f"`{entry['name']}` ({value})"


def parts_table(title, words, entries, *columns):
    """A section with a table of registered parts: name, what it is, more columns, source."""
    rows = [[f"`{e['name']}`", e["summary"], *(cell for _, cells in columns for cell in cells(e)),
             e["source"]] for e in entries]
    head = [title, "is", *(name for names, _ in columns for name in names), "source"]
    return ["", f"## {words}", "", *table(head, rows)]


def methods_page(trammel):
    lists = listing(trammel, "methods")
    methods = lists["methods"]
    page = ["# Methods", "",
            "A named method is a choice of formulation, stabilization, stage projection and step",
            "projection; the integrator is chosen apart, unless the method is one. What to take when is",
            "said in [guide/methods.md](../guide/methods.md).", ""]
    page += table(["method", "group", *TRAITS.values()],
                  [[f"`{m['name']}`", m["group"], *traits(m)] for m in methods])
    page += ["", "What a model has and a method cannot take is refused before the run, with a remedy. A step that",
             "ends in a singular pose ends the run where the method cannot take it. *Friction* means forces of `s:nonideal` that",
             "use reactions; others are supported by all methods.", ""]
    page += table(["method", "formulation", "stabilization", "stage projection", "step projection",
                   "integrator"],
                  [[f"`{m['name']}`", m["formulation"], m["stabilization"], m["stage_projection"],
                    m["step_projection"], m["integrator"] or "any explicit"] for m in methods])
    page += [""] + table(["method", "is", "options (if not given)", "source"],
                         [[f"`{m['name']}`", m["summary"],
                           ", ".join(option(o) for o in m["options"]), m["source"]]
                          for m in methods])
    names = list(TRAITS.values())
    page += parts_table("formulation", "Formulations", lists["formulations"], (names, traits))
    page += parts_table("stabilization", "Stabilizations", lists["stabilizations"])
    page += parts_table("stage projection", "Stage projections", lists["stage_projections"],
                        (["by"], lambda s: [f"projection `{s['projection']}`" if s["projection"]
                                            else f"carry `{s['carry']}`"]))
    page += parts_table("projection", "Step projections", lists["projections"],
                        (["metric"], lambda p: [p["metric"] or "rows B held"]),
                        (["holds"], lambda p: ["velocities" if p["velocities_only"]
                                               else "positions, velocities"]),
                        (names, traits))
    page += parts_table("carry", "Carries", lists["carries"], (names, traits))
    page += parts_table("basis", "Bases", lists["bases"],
                        (["orthonormal", "continuous", "depends on units"],
                         lambda b: [yes(b["orthonormal"]), yes(b["continuous"]),
                                    yes(b["depends_on_units"])]))
    return page


def integrators_page(trammel):
    integrators = listing(trammel, "integrators")["integrators"]
    rows = [[f"`{i['name']}`", i["summary"], i["order"], yes(i["adaptive"]),
             ("about " if i["implicit"] else "") + str(i["evaluations"]), f"h^{i['dense_order']}",
             i["source"]] for i in integrators]
    page = ["# Integrators", "", "The equations are in",
            "[theory/integrators.md](../theory/integrators.md) and",
            "[theory/generalized-alpha.md](../theory/generalized-alpha.md).", ""]
    page += table(["integrator", "is", "order", "adaptive", "evaluations per step",
                   "error between steps", "source"], rows)
    page += ["", "## Implicit integrators", "",
             "When to take them is said in [guide/implicit.md](../guide/implicit.md).", ""]
    return page + table(["integrator", "forms, the default first", "refuses"],
                        [[f"`{i['name']}`", ", ".join(i["forms"]), ", ".join(i["refuses"])]
                         for i in integrators if i["implicit"]])


def simulate_page(trammel):
    settings = listing(trammel, "methods")["settings"]
    page = ["# Settings of a simulation", "",
            "`m:simulate { ... }` in a model file; with `--` before them and `-` for `_`, options of",
            "`trammel run`; in C, members of `trSimDef`.", ""]
    page += parameters(settings)
    page += ["", "## Options", "",
             "Settings that only some choices read. Given to others they are an error.", ""]
    rows = [[f"`{s['name']}`", ", ".join(f"{r['choice']} `{r['kind']}`" for r in s["read_by"]),
             s["left_out"] or f"{s['default']:g} {s['unit']}".strip()]
            for s in settings if s["option"]]
    return page + table(["option", "read by", "if not given"], rows)


PAGES = {
    "forces": ("forces", forces_page),
    "integrators": ("integrators", integrators_page),
    "joints": ("joints", joints_page),
    "methods": ("methods", methods_page),
    "parts": ("parts", parts_page),
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
