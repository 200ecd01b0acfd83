#!/usr/bin/env python3
"""Speed next to Tadashi's: the same steps on the same kernels in the same run. Process CPU times; medians.

usage: tadashi_steps.py [--kernels NAME,NAME] [--rounds N] [--seed N] [--limit SECONDS] [--steps BINARY] [--environments FOLDER]

Builds the `steps` binary and installs Tadashi from PyPI into FOLDER/tadashi if they are not there (default: target/peers).
Both sides take turns, kernel by kernel and round by round; a time is the smallest of its rounds. A step that Tadashi refuses is
left out on both sides, and so is what follows it in its sequence.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

from environments import FOLDER, HERE, ROOT, TARGET, environment

COLUMNS = ["one step", "ten steps", "extraction", "code", "code after ten steps"]
GOALS = [10, 10, 2, 2, 2]


def theirs(python, plan, limit):
    """Tadashi's times by what they are times of; what it did not reach is missing."""
    # No limit of CPU time: the kernel then reads the clock of the process from its last tick.
    worker = [python, os.path.join(HERE, "tadashi_worker.py")]
    try:
        run = subprocess.run(worker, input=json.dumps(plan).encode(), capture_output=True, timeout=limit)
        output, why = run.stdout, "" if run.returncode == 0 else f"exit status {run.returncode}: {run.stderr.decode()[-100:]}"
    except subprocess.TimeoutExpired as late:
        output, why = late.stdout or b"", f"no end in {limit} s"
    times, verdicts, readings = {}, {}, []
    for line in output.decode().split("\n")[:-1]:
        if not line.startswith("["):
            continue
        kind, *fields = json.loads(line)
        if kind == "extraction":
            readings.append(fields[0])
        elif kind == "generation":
            times["code"] = fields[0]
        elif kind == "code":
            times["code", fields[0]] = fields[1]
        else:
            *place, seconds, legal = fields
            times[(kind, *place)] = seconds
            verdicts[(kind, *place)] = legal
    if readings:
        times["extraction"] = statistics.median(readings)
    return times, verdicts, why


def ours(plan):
    """Our times, under the same names."""
    times = {"extraction": plan["extraction"], "code": plan["generation"]}
    verdicts = {}
    for number, step in enumerate(plan["singles"]):
        times["single", number], verdicts["single", number] = step["seconds"], step["legal"]
    for number, sequence in enumerate(plan["sequences"]):
        for place, step in enumerate(sequence["steps"]):
            key = ("sequence", number, place)
            times[key], verdicts[key] = step["seconds"], step["legal"]
        if sequence["code"]:
            times["code", number] = sequence["generation"]
    return times, verdicts


def kernel_medians(times, common):
    """One number for each column; None where there is nothing to compare."""
    of = lambda kind: [key for key in common if isinstance(key, tuple) and key[0] == kind]
    median = lambda values: statistics.median(values) if values else None
    per_step = []
    for number in sorted({key[1] for key in of("sequence")}):
        steps = [times[key] for key in of("sequence") if key[1] == number]
        per_step.append(sum(steps) / len(steps))
    return [
        median([times[key] for key in of("single")]),
        median(per_step),
        times["extraction"] if "extraction" in common else None,
        times["code"] if "code" in common else None,
        median([times[key] for key in of("code")]),
    ]


def compare(kernel, args, python):
    """Medians of both sides, the verdicts that differ, and what stopped Tadashi."""
    best, verdicts, why, total = [{}, {}], [{}, {}], "", 0
    for _ in range(args.rounds):
        run = subprocess.run([args.steps, "plan", kernel, str(args.seed)], capture_output=True, text=True)
        if run.returncode:
            return None, [], run.stderr.strip()[-200:], 0, 0
        plan = json.loads(run.stdout)
        our, their = ours(plan), theirs(python, plan, args.limit)
        why = their[2]
        for side, (times, answers) in enumerate([our, their[:2]]):
            verdicts[side] = answers
            for key, seconds in times.items():
                best[side][key] = min(seconds, best[side].get(key, seconds))
    common = [key for key in best[0] if key in best[1]]
    judged = [key for key in common if key in verdicts[0] and key in verdicts[1]]
    differ = [key for key in judged if verdicts[0][key] != verdicts[1][key]]
    for kind, number, *place in differ:
        step = plan["singles"][number] if kind == "single" else plan["sequences"][number]["steps"][place[0]]
        where = f"{kind} {number}" + "".join(f" step {p}" for p in place)
        print(f"{kernel}: {where}: {step['move']} at node {step['node']} is {'legal' if step['legal'] else 'illegal'} here only", file=sys.stderr)
    return [kernel_medians(times, common) for times in best], differ, why, len(judged), len(verdicts[0])


def milliseconds(seconds):
    return "" if seconds is None else f"{1000 * seconds:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=300, help="seconds that Tadashi gets for a kernel and round")
    parser.add_argument("--steps", default=os.path.join(TARGET, "release", "steps"))
    parser.add_argument("--environments", default=FOLDER)
    args = parser.parse_args()
    if not os.path.exists(args.steps):
        build = ["cargo", "build", "--release", "--package", "loopwright-benches", "--bin", "steps"]
        subprocess.run(build, check=True, cwd=ROOT)
    python = environment(args.environments, "tadashi")
    kernels = args.kernels.split(",") if args.kernels else sorted(os.listdir(os.path.join(ROOT, "polybench-tests", "kernels")))
    kernels = [k for k in kernels if not k.endswith(".h")]

    print("CPU milliseconds: Loopwright / Tadashi, and how many times faster.\n")
    print("| kernel | " + " | ".join(COLUMNS) + " | steps compared | verdicts that differ |")
    print("|---|" + "---:|" * (len(COLUMNS) + 2))
    ratios = [[] for _ in COLUMNS]
    rates = [[[], []] for _ in COLUMNS]
    for kernel in kernels:
        medians, differ, why, count, all_steps = compare(kernel, args, python)
        if medians is None:
            print(f"| {kernel} | failed: {why} |")
            continue
        cells = []
        for column, (our, their) in enumerate(zip(*medians)):
            if not our or not their:
                cells.append("")
                continue
            ratios[column].append(their / our)
            rates[column][0].append(our)
            rates[column][1].append(their)
            cells.append(f"{milliseconds(our)} / {milliseconds(their)}, {their / our:.1f}x")
        print(f"| {kernel} | " + " | ".join(cells) + f" | {count} of {all_steps} | {len(differ)} |", flush=True)
        if why:
            print(f"{kernel}: Tadashi stopped: {why}", file=sys.stderr)
    print()
    for name, goal, ratio, (our, their) in zip(COLUMNS, GOALS, ratios, rates):
        if ratio:
            middle = statistics.median(ratio)
            per_second = f"{1 / statistics.median(our):.0f} and {1 / statistics.median(their):.0f} per second"
            verdict = "reached" if middle >= goal else "missed"
            print(f"- {name}: {middle:.1f} times faster (median of {len(ratio)} kernels; goal {goal}: {verdict}); {per_second}")


main()
