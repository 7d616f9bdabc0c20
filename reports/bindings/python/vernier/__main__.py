"""The command: `vernier ...` and `python -m vernier ...`."""

import os
import sys


def main():
    if sys.argv[1:2] == ["survey"] and len(sys.argv) > 2 and (sys.argv[2].endswith(".py") or not os.path.isfile(sys.argv[2])):
        survey(sys.argv[2:])
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "vernier")
    if not os.path.isfile(program):
        sys.exit(f"{program}: no such program; this installation of the package has no command")
    os.execv(program, ["vernier", *sys.argv[1:]])


def survey(arguments=None):
    """The command `vernier-survey ...`: the same as `vernier survey ...`."""
    from ._survey import main as run

    sys.exit(run(arguments))


if __name__ == "__main__":
    main()
