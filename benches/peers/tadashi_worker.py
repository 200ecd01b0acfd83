"""Tadashi's side of the comparison: a plan of `steps` on standard input, its own CPU times as lines of JSON on standard output.

Runs in the environment that has Tadashi. Nodes are found before the clock starts; what is timed is `transform`, which rewrites
and judges. A line that is missing is a step that Tadashi refused, or one behind it in the same sequence.
"""
import json
import os
import resource
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


def take(scops, step):
    """Seconds and verdict of a step, or None where it is refused."""
    name, *args = step["move"]
    node = scops[step["scop"]].schedule_tree[step["node"]]
    try:
        return timed(lambda: node.transform(TrEnum[name], *args))
    except ValueError:
        return None


def main():
    # What does not end in this CPU time is left out.
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
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
