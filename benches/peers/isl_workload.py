#!/usr/bin/env python3
"""Speed of set operations next to isl's, on a recorded workload, both in the same run.

usage: isl_workload.py [--conform BINARY] [--environments FOLDER] [--keep FILE] WORKLOAD.jsonl

Each line of WORKLOAD has `id op args`, and isl's time `us` (median, in C, caches cleared) and `us_islpy_once` (one call from Python)
on the machine where it was recorded. Here `conform` answers every entry (median of five, on values parsed afresh), and islpy from
PyPI runs every entry once. isl's time on this machine is `us` times the geometric mean of (islpy here / `us_islpy_once`) over the
entries of 100 microseconds and more. Times below 0.1 microseconds count as that: they are the clock's.
"""
import argparse
import json
import math
import os
import queue
import statistics
import subprocess
import sys
import threading
import time

from environments import FOLDER, ROOT, TARGET, environment

LEAST = 0.1
LIMIT = 20


def isl_worker():
    """Runs the entries of standard input in islpy; a line `[id, microseconds]` for each."""
    import islpy as isl

    def value(argument):
        if not isinstance(argument, str) or "{" not in argument:
            return argument
        try:
            return isl.Set(argument)
        except isl.Error:
            return isl.Map(argument)

    kinds = {"set": isl.dim_type.set, "in": isl.dim_type.in_, "out": isl.dim_type.out, "param": isl.dim_type.param}
    for line in sys.stdin:
        entry = json.loads(line)
        times = []
        try:
            first, *rest = [value(argument) for argument in entry["args"]]
            rest = [kinds.get(argument, argument) if isinstance(argument, str) else argument for argument in rest]
            method = getattr(first, entry["op"])
            start = time.process_time_ns()
            method(*rest)
            times.append(time.process_time_ns() - start)
        except (isl.Error, AttributeError, TypeError) as why:
            print(f"{entry['id']}: {entry['op']}: {why}", file=sys.stderr)
        print(json.dumps([entry["id"], times[0] / 1e3 if times else None]), flush=True)


def islpy_times(python, entries):
    """Microseconds of islpy by entry; `None` beyond the limit. A worker that does not answer costs its entry only."""
    times, rest = {}, list(entries)
    while rest:
        worker = subprocess.Popen([python, os.path.abspath(__file__), "--isl-worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = queue.Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in worker.stdout] + [lines.put(None)], daemon=True).start()
        late = False
        while rest and not late:
            try:
                worker.stdin.write(json.dumps(rest[0]) + "\n")
                worker.stdin.flush()
                line = lines.get(timeout=LIMIT)
            except (queue.Empty, BrokenPipeError):
                line = None
            if line is None:
                late = True
                times[rest.pop(0)["id"]] = None
            else:
                times[rest.pop(0)["id"]] = json.loads(line)[1]
        worker.kill()
        worker.wait()
    return times


def geometric(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else float("nan")


def report(entries, ours, islpy):
    both = [e["id"] for e in entries if islpy.get(e["id"]) and (e.get("us_islpy_once") or 0) >= 100]
    recorded = {e["id"]: e for e in entries}
    scale = geometric([islpy[i] / recorded[i]["us_islpy_once"] for i in both])
    print(f"isl's times are the recorded ones times {scale:.2f} (islpy here over islpy there, {len(both)} entries).\n")
    pairs, missing = {}, 0
    for entry in entries:
        here = ours.get(entry["id"], {}).get("us")
        if here is None:
            missing += 1
            continue
        pairs[entry["id"]] = (max(here, LEAST), max(entry["us"] * scale, LEAST))
    ratio = lambda i: pairs[i][0] / pairs[i][1]
    long = [i for i in pairs if pairs[i][1] >= 1000]
    largest = sorted(long, key=lambda i: -pairs[i][0])
    few = [i for i in long if i not in largest[:10]]
    total = sum(pairs[i][0] for i in few) / max(sum(pairs[i][1] for i in few), LEAST)
    slow = [i for i in pairs if ratio(i) > 10 and pairs[i][0] > 5000]
    direct = [max(ours[i]["us"], LEAST) / islpy[i] for i in pairs if islpy.get(i)]
    print(f"- all {len(pairs)} entries: geometric mean {geometric([ratio(i) for i in pairs]):.2f}")
    print(f"- entries of 1 ms and more ({len(long)}): geometric mean {geometric([ratio(i) for i in long]):.2f}; total without the ten largest {total:.2f}")
    print(f"- more than 10 times isl's time and more than 5 ms: {len(slow)}")
    print(f"- next to one call of islpy ({len(direct)} entries; its calls cost a few microseconds): geometric mean {geometric(direct):.2f}")
    print(f"- without an answer in time: {missing}\n")
    show = lambda i: f"| {i} | {recorded[i]['op']} | {pairs[i][0] / 1e3:.2f} | {pairs[i][1] / 1e3:.2f} | {ratio(i):.2f} |"
    head = "| entry | operation | ms here | isl | ratio |\n|---|---|---:|---:|---:|"
    print("The ten largest:\n\n" + head)
    print("\n".join(map(show, largest[:10])))
    if slow:
        print("\nMore than 10 times isl's time and more than 5 ms:\n\n" + head)
        print("\n".join(map(show, sorted(slow, key=ratio, reverse=True)[:20])))
    print("\n| operation | count | microseconds here (median) | isl | ratio (geometric mean) | total here / isl |\n|---|---:|---:|---:|---:|---:|")
    groups = {}
    for i in pairs:
        groups.setdefault(recorded[i]["op"], []).append(i)
    for name, members in [*sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])), ("all", list(pairs))]:
        here, there = ([pairs[i][side] for i in members] for side in (0, 1))
        print(f"| {name} | {len(members)} | {statistics.median(here):.1f} | {statistics.median(there):.1f} | {geometric(list(map(ratio, members))):.2f} | {sum(here) / sum(there):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload")
    parser.add_argument("--conform", default=os.path.join(TARGET, "release", "conform"))
    parser.add_argument("--environments", default=FOLDER)
    parser.add_argument("--keep", help="write conform's results to this file")
    args = parser.parse_args()
    if not os.path.exists(args.conform):
        build = ["cargo", "build", "--release", "--package", "loopwright-testing", "--bin", "conform"]
        subprocess.run(build, check=True, cwd=ROOT)
    entries = [json.loads(line) for line in open(args.workload)]
    bare = [{k: e[k] for k in ("id", "op", "args", "arg_types", "options") if k in e} for e in entries]
    islpy = islpy_times(environment(args.environments, "islpy"), bare)
    run = subprocess.run([args.conform], input="".join(json.dumps(e) + "\n" for e in bare), capture_output=True, text=True, check=True)
    if args.keep:
        with open(args.keep, "w") as file:
            file.write(run.stdout)
    ours = {row["id"]: row for row in map(json.loads, run.stdout.splitlines())}
    report(entries, ours, islpy)


if "--isl-worker" in sys.argv:
    isl_worker()
else:
    main()
