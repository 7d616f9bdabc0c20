"""Runs a command; the servers of this folder that it starts are forked from this process, which has imported a module
once, and are processes of their own all the same. Usage: warm.py MODULE COMMAND [ARGUMENT ...]"""

import importlib
import os
import runpy
import socket
import subprocess
import sys
import tempfile

from exchange import WARM


def become_server(connection):
    """The script that is wanted, with the standard input, output and error that come with its name. Who asked waits
    until the connection ends, which is when this process does."""
    words, descriptors, _, _ = socket.recv_fds(connection, 4096, 3)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    sys.argv = words.decode().split("\0")
    runpy.run_path(sys.argv[0], run_name="__main__")


importlib.import_module(sys.argv[1])
with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
    address = os.path.join(folder, "warm")
    listener.bind(address)
    listener.listen()
    listener.settimeout(0.1)
    command = subprocess.Popen(sys.argv[2:], env={**os.environ, WARM: address})
    while command.poll() is None:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        with connection:
            if os.fork() == 0:
                try:
                    become_server(connection)
                finally:
                    os._exit(0)
sys.exit(command.returncode)
