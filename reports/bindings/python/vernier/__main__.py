"""The command: `vernier ...` and `python -m vernier ...`."""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "vernier")
    if not os.path.isfile(program):
        sys.exit(f"{program}: no such program; this installation of the package has no command")
    os.execv(program, ["vernier", *sys.argv[1:]])


if __name__ == "__main__":
    main()
