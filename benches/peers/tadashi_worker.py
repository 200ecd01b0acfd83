"""Tadashi's side of the comparison: a plan of `steps` on standard input, its own CPU times as lines of JSON on standard output.

Runs in the environment that has Tadashi. Nodes are found before the clock starts; what is timed is `transform`, which rewrites
and judges. A line that is missing is a step that Tadashi refused, or one behind it in the same sequence.
"""
import json
import os
import re
import sys
import tempfile
import time

from tadashi import TrEnum
from tadashi.translators import Pet

READINGS = 3


def row(*fields):
    print(json.dumps(fields), flush=True)


def timed(action):
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def pieces(node):
    """The schedule of a band as text, by the statement's number."""
    return {int(number): text.strip() for number, text in re.findall(r"S_(\d+)\[[^]]*\] -> ([^;}]*)", node.expr)}


def position(scop, number, rank):
    """Where Tadashi has the statement of this rank in program order: its own order is that of a hash table, so each is shifted once."""
    before, places = pieces(scop.schedule_tree[number]), {}
    for place in range(len(scop.schedule_tree[number].loop_signature)):
        scop.schedule_tree[number].transform(TrEnum.PARTIAL_SHIFT_VAL, place, 1)
        after = pieces(scop.schedule_tree[number])
        places.update({statement: place for statement in after if after[statement] != before.get(statement)})
        scop.rollback()
    return places[sorted(places)[rank]]


def take(scops, step):
    """Seconds and verdict of a step, or None where it is refused."""
    name, *args = step["move"]
    node = scops[step["scop"]].schedule_tree[step["node"]]
    if name.startswith("PARTIAL"):
        args[0] = position(scops[step["scop"]], step["node"], args[0])
        node = scops[step["scop"]].schedule_tree[step["node"]]
    try:
        return timed(lambda: node.transform(TrEnum[name], *args))
    except ValueError:
        return None


def main():
    plan = json.load(sys.stdin)
    read = lambda: Pet().set_source(plan["file"], plan["cc_args"])
    source = None
    for _ in range(READINGS):
        seconds, source = timed(read)
        row("extraction", seconds)
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out.c")
        generate = lambda: source.generate_code(plan["file"], output, plan["cc_args"])
        reset = lambda: [scop.reset() for scop in source.scops]
        # Code of an untouched tree is the file's own text: a type of loop that says nothing makes Tadashi generate.
        for scop in source.scops:
            band = next((n for n in scop.schedule_tree if n.node_type.name == "BAND"), None)
            if band:
                band.transform(TrEnum.SET_LOOP_OPT, 0, 0)
        row("generation", timed(generate)[0])
        for number, step in enumerate(plan["singles"]):
            reset()
            taken = take(source.scops, step)
            if taken:
                row("single", number, *taken)
        for number, sequence in enumerate(plan["sequences"]):
            reset()
            for place, step in enumerate(sequence["steps"]):
                taken = take(source.scops, step)
                if not taken:
                    break
                row("sequence", number, place, *taken)
                if not step["legal"]:
                    source.scops[step["scop"]].rollback()
            else:
                row("code", number, timed(generate)[0])


main()
