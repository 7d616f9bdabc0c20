"""Runs the tests of a module, or one. Exit code 77 if what all of them need is not there. Usage: run.py MODULE[.CLASS.TEST]"""

import importlib
import sys
import unittest

module = importlib.import_module(sys.argv[1].split(".")[0])
for needed in getattr(module, "NEEDS", ()):
    try:
        importlib.import_module(needed)
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromName(sys.argv[1]))
sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
