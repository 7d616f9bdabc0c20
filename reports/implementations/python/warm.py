"""Runs a command; what it starts as `python3`, and the servers of this folder, are forked from this process, which has
imported a module once, and are processes of their own all the same. Usage: warm.py MODULE COMMAND [ARGUMENT ...]"""

import importlib
import os
import runpy
import socket
import subprocess
import sys
import tempfile
import traceback

from forked import WARM

HERE = os.path.dirname(os.path.abspath(__file__))

# Asks for a process with its own arguments, and ends as that does.
PYTHON = f"""#!{sys.executable} -ES
import sys
sys.path.insert(0, {HERE!r})
from forked import be_forked
sys.exit(be_forked(sys.argv[1:]))
"""


def run(words):
    """What `python3 WORDS` does. Returns its exit status."""
    is_module = words[0] == "-m"
    sys.argv = words[1:] if is_module else words
    sys.path[0] = os.getcwd() if is_module else os.path.dirname(os.path.abspath(words[0]))
    try:
        if is_module:
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def become(connection):
    """The process that is asked for, in the folder, with the arguments, and with the standard input, output and error of
    who asks, and waits for the exit status."""
    words, descriptors, _, _ = socket.recv_fds(connection, 4096, 3)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    folder, *words = words.decode().split("\0")
    os.chdir(folder)
    status = run(words)
    sys.stdout.flush()
    sys.stderr.flush()
    connection.send(bytes([status]))


importlib.import_module(sys.argv[1])
with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
    address = os.path.join(folder, "warm")
    listener.bind(address)
    listener.listen()
    listener.settimeout(0.1)
    python = os.path.join(folder, "python3")
    with open(python, "w") as file:
        file.write(PYTHON)
    os.chmod(python, 0o755)
    path = os.pathsep.join((folder, os.environ["PATH"]))
    command = subprocess.Popen(sys.argv[2:], env={**os.environ, WARM: address, "PATH": path})
    while command.poll() is None:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        with connection:
            if os.fork() == 0:
                try:
                    become(connection)
                finally:
                    os._exit(0)
sys.exit(command.returncode)
