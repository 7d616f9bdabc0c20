"""A function as an implementation that Vernier asks: vernier validate --serve 'python3 rope.py', or in this process."""

import json
import os
import struct
import sys

from ._library import InputError, one_line
from ._table import Values
from ._tensors import HostTensor

# The names of element types in safetensors files.
_FILE_NAMES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32",
               "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "float8_e4m3fnuz": "F8_E4M3FNUZ",
               "float8_e5m2fnuz": "F8_E5M2FNUZ"}
_BUFFER_CODES = {"int64": "q", "float32": "f", "float64": "d"}  # of positions
_TYPE_NAMES = {name: dtype for dtype, name in _FILE_NAMES.items()}


class Unsupported(Exception):
    """The implementation does not support the question; the message names the feature."""


class Wanted:
    """A tensor that is asked for: its role ("cos", "rotated"), dtype ("float32") and shape."""

    def __init__(self, role, dtype, shape):
        self.role, self.dtype, self.shape = role, dtype, tuple(shape)

    def __repr__(self):
        return f"<vernier.Wanted: {self.role} {list(self.shape)} {self.dtype}>"


class Request:
    """A question to an implementation.

    spec: a dict, with all defaults. positions: one a row, int64, or of the type that the implementation takes. input: the
    vectors to rotate, or None. Both are made tensors by torch.from_dlpack() or numpy.asarray(). wanted: a list of Wanted,
    of the same type and rows.
    """

    def __init__(self, spec, positions, wanted, input=None):
        self.spec, self.positions, self.wanted, self.input = spec, positions, wanted, input

    def __str__(self):
        """Short, for the names of tests: "rotated-float32-2x6-4077:4096", batches and heads before the positions."""
        numbers = self.flat_positions
        first, last = min(numbers), max(numbers)
        is_whole = all(isinstance(number, int) for number in numbers)
        what = [str(first)] if numbers == [first] else [f"{first}:{last + 1}" if is_whole else f"{first}..{last}"]
        if not is_whole or numbers != list(range(first, first + len(numbers))):
            what.insert(0, "x".join(map(str, self.positions.shape)))
        leading = self.input.shape[:-2] if self.input is not None else ()
        return "-".join(["+".join(self.roles), self.dtype, *(["x".join(map(str, leading))] if leading else []), *what])

    def __repr__(self):
        return f"<vernier.Request: {self}>"

    @property
    def flat_positions(self):
        """All positions, one after another: whole numbers as int."""
        numbers = memoryview(bytes(self.positions)).cast(_BUFFER_CODES[self.positions.dtype]).tolist()
        return [int(number) if number == int(number) else number for number in numbers]

    @property
    def rows(self):
        return self.positions.shape[-1]

    def of_rows(self, rows):
        """The same of some of its rows, each of which depends on its own position alone."""
        count = len(rows)
        wanted = [Wanted(one.role, one.dtype, (*one.shape[:-2], count, one.shape[-1])) for one in self.wanted]
        return Request(self.spec, self.positions.places(-1, rows), wanted,
                       None if self.input is None else self.input.places(-2, rows))

    @property
    def dtype(self):
        return self.wanted[0].dtype

    @property
    def roles(self):
        return [wanted.role for wanted in self.wanted]

    def require(self, **values):
        """Raises Unsupported for a spec that has another value than one of these, key by key: layout=["half"]."""
        for key, known in values.items():
            if self.spec.get(key) not in known:
                raise Unsupported(f"{key} {self.spec.get(key)!r}")


def is_gradient(role):
    return role.startswith("input_gradient")


class Implementation:
    """A function of a Request that gives a dict of tensors by role: anything with __dlpack__, or a buffer.

    It may raise Unsupported for what it does not do; whatever else it raises is taken for a refusal of these positions
    or this input. A backward pass is a function of its own: see backward().
    """

    def __init__(self, function, name=None, backward=None, takes=""):
        self.function, self.backward_function, self._takes = function, backward, takes
        self.name = name or getattr(function, "__qualname__", type(function).__name__)
        self.__doc__ = getattr(function, "__doc__", None)

    def __call__(self, request):
        return self.function(request)

    def backward(self, function):
        """Makes a function the backward pass: of a Request whose input is the gradient of the output (PyTorch's
        grad_output), and that wants "input_gradient" (grad_input).

            @rope.backward
            def rope_backward(request):
                grad_output = torch.from_dlpack(request.input)
                ...
                return {"input_gradient": grad_input}
        """
        self.backward_function = function
        return function

    @property
    def takes(self):
        """The declared kinds of questions: words of vernier validate --takes."""
        return " ".join(filter(None, (self._takes, self.backward_function and "gradients")))

    def serve(self):
        """Answers the lines of standard input until it ends, as `vernier validate --serve` writes them. What the
        function prints goes to standard error."""
        answers = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)
        for line in sys.stdin:
            question = json.loads(line)
            answer = {"id": question["id"], **self._answered(question["request"], question["response"])}
            print(json.dumps(answer), file=answers, flush=True)

    def _answered(self, request_path, response_path):
        try:
            request = _read_request(request_path)
            _write_tensors(response_path, self.answer(request), self.name, self.takes)
        except Exception as error:
            return {"unsupported" if is_unsupported(error) else "rejected": sentence_of(error)}
        return {}

    def answer(self, request):
        """The tensors that a request asks for, by role: HostTensors. Raises what the function raises."""
        answer = {}
        for function, part in self._parts_of(request):
            answered = function(part)
            if not isinstance(answered, dict):
                raise InputError(f"the answer: found {type(answered).__name__}, expected a dict of tensors by role")
            answer.update(answered)
        missing = [role for role in request.roles if role not in answer]
        if missing:
            has = ", ".join(f"`{role}`" for role in answer) or "no tensor"
            raise InputError(f"the response has {has}, expected {', '.join(f'`{role}`' for role in request.roles)}")
        tensors = {role: HostTensor(answer[role], role) for role in request.roles}
        for role, tensor in tensors.items():
            if tensor.dtype not in _FILE_NAMES:
                raise InputError(f"{role}: found {tensor.dtype}, expected {' or '.join(_FILE_NAMES)}")
        return tensors

    def _parts_of(self, request):
        """The question to each function."""
        if self.backward_function is None:
            return [(self, request)]
        parts = []
        for function, of_gradients in ((self, False), (self.backward_function, True)):
            wanted = [one for one in request.wanted if is_gradient(one.role) == of_gradients]
            if wanted:
                parts.append((function, Request(request.spec, request.positions, wanted, request.input)))
        return parts


def implementation(function=None, *, name=None, backward=None, takes=""):
    """Turns a function into an Implementation: @vernier.implementation, or @vernier.implementation(name="my kernel 1.2").
    backward: a function of what takes gradients back, or @rope.backward later. takes: what it takes besides, such as
    "float32-positions", in which timesteps and grids are fractions.

        @vernier.implementation
        def rope(request):
            request.require(scheme=["rope"], layout=["half"])
            positions = torch.from_dlpack(request.positions)
            ...
            return {"cos": cos, "sin": sin}

        if __name__ == "__main__":
            rope.serve()
    """
    if function is None:
        return lambda decorated: Implementation(decorated, name, backward, takes)
    return Implementation(function, name, backward, takes)


def is_unsupported(error):
    """Whether an exception says that an implementation does not do what is asked; all others refuse it."""
    return isinstance(error, (Unsupported, ImportError))


def sentence_of(error):
    return " ".join(str(error).split()) if is_unsupported(error) else one_line(error)


def _read_request(path):
    with open(path, "rb") as file:
        data = file.read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        tensors[name] = Values(name, entry["shape"], _TYPE_NAMES[entry["dtype"]], data[start + first:start + last])
    wanted = [Wanted(one["role"], one["dtype"], one["shape"]) for one in json.loads(metadata["wanted"])]
    return Request(json.loads(metadata["spec"]), tensors["positions"], wanted, tensors.get("input"))


def _write_tensors(path, tensors, name, takes):
    header, end, parts = {"__metadata__": {"implementation": name, "takes": takes}}, 0, []
    for role, tensor in tensors.items():
        parts.append(tensor.contiguous_bytes())
        header[role] = {"dtype": _FILE_NAMES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [end, end + len(parts[-1])]}
        end += len(parts[-1])
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))
