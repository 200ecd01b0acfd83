#!/usr/bin/env python3
"""Speed of set operations next to isl's, from what `conform` prints and from isl's times recorded with the workload.

usage: isl_workload.py RESULTS.jsonl WORKLOAD.jsonl
RESULTS has `us` and WORKLOAD the `op` and isl's `us` of each `id`. Prints for each operation the median of our time over isl's,
and both medians. Times below 0.1 microseconds are counted as that: they are the clock's.
"""
import json
import statistics
import sys

LEAST = 0.1


def rows(path):
    return {row["id"]: row for row in map(json.loads, open(path))}


def line(name, pairs):
    ratio = statistics.median(ours / isl for ours, isl in pairs)
    medians = [statistics.median(pair[side] for pair in pairs) for side in (0, 1)]
    return f"| {name} | {len(pairs)} | {medians[0]:.1f} | {medians[1]:.1f} | {ratio:.2f} |"


def main(results, workload):
    results, by_operation = rows(results), {}
    for number, entry in rows(workload).items():
        ours = results.get(number, {}).get("us")
        if ours is not None and entry.get("us") is not None:
            by_operation.setdefault(entry["op"], []).append((max(ours, LEAST), max(entry["us"], LEAST)))
    print("| operation | count | microseconds here | isl | ratio |\n|---|---:|---:|---:|---:|")
    for name, pairs in sorted(by_operation.items(), key=lambda item: (-len(item[1]), item[0])):
        print(line(name, pairs))
    print(line("all", [pair for pairs in by_operation.values() for pair in pairs]))


main(*sys.argv[1:])
