import json
import pathlib

import pytest
import vernier
from kernel import kernel

SPEC = json.loads(pathlib.Path(__file__).with_name("rope.json").read_text())


@pytest.mark.parametrize("question", vernier.requests(SPEC, count=20, roles=["rotated"], dtype="bfloat16"))
def test_kernel(vernier, question):
    vernier.assert_answers(kernel, question)
