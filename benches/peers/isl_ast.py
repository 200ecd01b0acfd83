#!/usr/bin/env python3
"""Size of generated code, next to isl's: loops, conditions and statements over the conformance inputs, and the ten where isl is shorter.

usage: isl_ast.py [--show N] [--only TEXT] FOLDER -- COMMAND [ARG ..]
FOLDER holds .in files (schedule, context, options) and .st files (schedule trees); COMMAND ARG .. FILE prints C for one.
Needs islpy (`pip install islpy`). Counts lines of the printed C: `for`, `if` and `else`, calls of statements.
"""
import os
import re
import subprocess
import sys
import time

import islpy as isl

LOOP = re.compile(r"^\s*for \(")
CONDITION = re.compile(r"^\s*(\} )?(if \(|else)")
CALL = re.compile(r"^\s*(\w*)\(.*\);$")


def texts(source):
    """The texts between which braces are balanced, outside of comments."""
    parts, depth, current = [], 0, ""
    for c in re.sub(r"#[^\n]*", "", source):
        current += c
        depth += {"{": 1, "}": -1}.get(c, 0)
        if c == "}" and depth == 0:
            parts.append(current.strip())
            current = ""
    return parts


def isl_code(path):
    source = open(path).read()
    begin = time.perf_counter()
    ctx = isl.Context()
    if path.endswith(".st"):
        node = isl.AstBuild.alloc(ctx).node_from_schedule(isl.Schedule.read_from_str(ctx, source))
    else:
        schedule, context, options = texts(source)
        try:
            context = isl.Set.read_from_str(ctx, context)
        except isl.Error:
            context = isl.Set.read_from_str(ctx, context.replace("{", "{ [] ", 1))
        build = isl.AstBuild.from_context(context.params())
        build = build.set_options(isl.UnionMap.read_from_str(ctx, options))
        node = build.node_from_schedule_map(isl.UnionMap.read_from_str(ctx, schedule))
    text = node.to_C_str()
    return text, time.perf_counter() - begin


def size(text):
    text = re.sub(r"^// helpers\n.*?^// end\n", "", text, flags=re.S | re.M)
    counts = [0, 0, 0]
    for line in text.split("\n"):
        for k, pattern in enumerate((LOOP, CONDITION, CALL)):
            if pattern.match(line):
                counts[k] += 1
                break
    return counts


def main(argv):
    split = argv.index("--")
    command, argv = argv[split + 1:], argv[:split]
    show, only = 10, ""
    while argv and argv[0].startswith("--"):
        if argv[0] == "--show":
            show = int(argv[1])
        else:
            only = argv[1]
        argv = argv[2:]
    files = []
    for root, _, names in sorted(os.walk(argv[0])):
        files += [os.path.join(root, n) for n in sorted(names) if n.endswith((".in", ".st")) and only in os.path.join(root, n)]
    rows, missing, spent = [], [], [0.0, 0.0]
    for path in files:
        name = os.path.relpath(path, argv[0])
        try:
            theirs, seconds = isl_code(path)
        except Exception as e:
            missing.append((name, "isl: " + str(e)[:100]))
            continue
        begin = time.perf_counter()
        try:
            run = subprocess.run(command + [path], capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            missing.append((name, "no answer in 120 s"))
            continue
        if run.returncode:
            missing.append((name, run.stderr.strip().split("\n")[-1][:100]))
            continue
        spent[0] += time.perf_counter() - begin
        spent[1] += seconds
        rows.append((name, size(run.stdout), size(theirs)))
    total = lambda k: [sum(row[k][i] for row in rows) for i in range(3)]
    rows.sort(key=lambda row: (sum(row[2]) - sum(row[1]), row[0]))
    for name, ours, theirs in rows[:show]:
        print(f"{sum(ours) - sum(theirs):+5d}  {name}: {ours} here, {theirs} isl (loops, conditions, statements)")
    for name, why in missing:
        print(f"left out: {name}: {why}")
    ours, theirs = total(1), total(2)
    print(f"{len(rows)} inputs: {sum(ours)} {ours} here, {sum(theirs)} {theirs} isl; ratio {sum(ours) / max(1, sum(theirs)):.3f}")
    print(f"seconds: {spent[0]:.1f} here (a process each), {spent[1]:.1f} isl")


main(sys.argv[1:])
