"""Asking a function in this process: vernier.validate(), and the questions that it is asked."""

import contextlib
import json
import random
import signal
import threading

from . import _library, _specs
from ._library import OK, REJECTED, STOPPED, UNSUPPORTED, InputError, VernierError
from ._serving import Implementation, Request, Unsupported, Wanted, is_gradient, is_unsupported, sentence_of
from ._table import Values, require_dtype
from ._tensors import FLOAT8_CODES, HostTensor
from ._verdict import Verdict, check, judging_options, require_texts

_FLOATS = ("float64", "float32", "float16", "bfloat16", *FLOAT8_CODES)
_MOST_EXCEPTIONS = 100
_MOST_TRIES = 16  # of shorter questions that may fail as well
# Questions about the ends of a type's range are judged by rules of their own.
_GREATEST_INPUT = 1e4

default_seed = None


def validate(function, spec, *, layer=None, contract=None, name=None, waivers=None, date=None, dtype="float32",
             positions=None, roles=None, seed=None, cases=None, quick=False, bitwise=False, takes=None,
             backward=None, quantization=None, thorough=False, all=False):
    """Asks a function in this process as `vernier validate --serve` asks a server, and returns a Verdict.

    function: an Implementation, or a function of a Request. spec, layer, contract, name, waivers, date: as in check().
    dtype, positions, roles, seed, cases, quick, bitwise, takes, thorough, all: as the command's options. positions: a
    range.
    backward: a function of the backward pass, if the Implementation has none: see Implementation.backward(). quantization: the storage of eight-bit tensors, a dict as in a case file.

    Questions that need a new process are skipped, and the verdict lists them. The verdict's `exceptions` are those that the
    function raised: they are refusals, as a server's. KeyboardInterrupt, SystemExit and the like are raised again. The
    function shares this process: a crash ends it.
    """
    implementation = _with_backward(function, backward)
    text, source = _specs.read(spec)
    seed = _seed(seed)
    require_texts({"takes": takes}, "takes")
    takes = " ".join(filter(None, (takes, implementation.takes)))
    options = {
        **judging_options("vernier.validate", source, layer, contract, name, waivers, date),
        **_question_options(dtype, positions, roles, seed, takes),
        "implementation": implementation.name,
        "cases": cases,
        "quick": bool(quick),
        "thorough": bool(thorough),
        "all": bool(all),
        "bitwise": bool(bitwise),
        "quantization": quantization,
        "reproduce": f"vernier.validate({implementation.name}, ..., seed={seed})",
    }
    conversation = _Conversation(implementation)
    with conversation.interruptible():
        try:
            verdict = Verdict(_library.validate(text, options, conversation.answer))
        except VernierError:
            if conversation.ended_by is None:
                raise
    if conversation.ended_by is not None:
        raise conversation.ended_by
    verdict.exceptions = conversation.exceptions
    return verdict


def requests(spec, count=20, *, seed=None, dtype="float32", positions=None, roles=None, layer=None, takes=None):
    """Questions that validate() asks, drawn from a seed: at most `count` Requests of all kinds, the shortest first.

        @pytest.mark.parametrize("question", vernier.requests("llama-3.1-8b", count=20))
        def test_rope(vernier, question):
            vernier.assert_answers(rope, question)

    spec, layer: as in check(). The others: as in validate(). Not among them are questions at positions beyond those
    that an implementation must answer, and vectors near the ends of their type's range.
    """
    if not isinstance(count, int) or count < 1:
        raise InputError(f"count: found {count!r}, expected a whole number from 1 on")
    text, source = _specs.read(spec)
    seed = _seed(seed)
    options = {**_question_options(dtype, positions, roles, seed, takes), "quick": True, "cases": 5, "source": source,
               "layer": None if layer is None else str(layer)}
    found = {}

    def listen(question):
        request = _request_of(question)
        if request.dtype == dtype and (roles is None or set(request.roles) <= set(roles)):
            key = (str(request), bytes(request.positions), bytes(request.input) if request.input is not None else b"")
            found.setdefault(key, request)

    _library.questions(text, options, listen)
    return _chosen(list(found.values()), count, random.Random(seed))


def assert_answers(function, request, **options):
    """Asks a function for one Request and judges what it answers: AssertionError unless that conforms, with the
    fewest rows that fail too. Raises what the function raises. Returns the Verdict; the error has it as `verdict`.

    options: those of check().
    """
    __tracebackhide__ = True
    implementation = function if isinstance(function, Implementation) else Implementation(function)
    problem, verdict = _judged(implementation, request, options)
    if problem is None:
        return verdict
    shortest = _shortest(implementation, request, options)
    part = f"\n  the fewest rows that fail too: {shortest}" if shortest is not request else ""
    error = AssertionError(f"{problem}\n  question: {request}{part}")
    error.verdict = verdict
    raise error


def _with_backward(function, backward):
    if not isinstance(function, Implementation):
        return Implementation(function, backward=backward)
    return function if backward is None else Implementation(function.function, function.name, backward, function.takes)


class _Conversation:
    """The questions to a function, and its exceptions."""

    def __init__(self, implementation):
        self._implementation = implementation
        self._is_inside = False
        self.exceptions, self.ended_by = [], None

    def answer(self, question, place):
        try:
            self._is_inside = True
            if self.ended_by is not None:
                return STOPPED
            tensors = self._implementation.answer(_request_of(question))
            for role, tensor in tensors.items():
                _library.give(place, role, tensor.tensor)
            return OK
        except Exception as error:
            if len(self.exceptions) < _MOST_EXCEPTIONS and not isinstance(error, Unsupported):
                self.exceptions.append(error)
            _library.decline(place, sentence_of(error))
            return UNSUPPORTED if is_unsupported(error) else REJECTED
        except BaseException as error:
            self.ended_by = error
            return STOPPED
        finally:
            self._is_inside = False

    @contextlib.contextmanager
    def interruptible(self):
        """Between two questions an interrupt would be raised where nothing can pass it on: it is kept for the next."""
        if threading.current_thread() is not threading.main_thread() or \
                signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return

        def handle(number, frame):
            if self._is_inside:
                raise KeyboardInterrupt
            self.ended_by = KeyboardInterrupt()

        signal.signal(signal.SIGINT, handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _seed(seed):
    seed = default_seed if seed is None else seed
    if seed is None:
        return random.SystemRandom().randrange(1 << 32)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 63:
        raise InputError(f"seed: found {seed!r}, expected a whole number from 0 to 2^63 - 1")
    return seed


def _question_options(dtype, positions, roles, seed, takes):
    require_dtype(dtype, _FLOATS)
    if positions is not None and not (isinstance(positions, range) and len(positions)):
        raise InputError(f"positions: found {positions!r}, expected a range that is not empty")
    if roles is not None and not (isinstance(roles, (list, tuple)) and all(isinstance(one, str) for one in roles)):
        raise InputError(f"roles: found {roles!r}, expected a list of texts")
    require_texts({"takes": takes}, "takes")
    return {"dtype": dtype, "roles": None if roles is None else list(roles), "seed": seed, "takes": takes,
            "positions": positions and f"{positions.start}:{positions.stop}:{positions.step}"}


def _request_of(question):
    """A request of its own, whose tensors outlive the question."""
    wanted = []
    for i in range(question.wanted_count):
        one = question.wanted[i]
        tensor = HostTensor.of(one.tensor.contents)
        wanted.append(Wanted(one.role.decode(), tensor.dtype, tensor.shape))
    return Request(json.loads(question.spec), _values("positions", question.positions), wanted,
                   _values("input", question.input) if question.input else None)


def _values(role, pointer):
    tensor = HostTensor.of(pointer.contents)
    return Values(role, tensor.shape, tensor.dtype, tensor.contiguous_bytes())


def _chosen(found, count, generator):
    """Some questions of each kind, near and far, short and long."""
    if not found:
        return []
    # Longer ones repeat positions.
    main = max(found, key=lambda one: len(set(one.flat_positions)))
    first, last = _ends(main)
    kinds = {}
    for one in found:
        if one.rows > main.rows:
            continue
        size = next(i for i, most in enumerate((1, 64, 2048, one.rows)) if one.rows <= most)
        kinds.setdefault((tuple(one.roles), len(one.wanted[0].shape), size), []).append(one)
    for same in kinds.values():
        generator.shuffle(same)
    chosen = []
    while len(chosen) < count and any(kinds.values()):
        for same in kinds.values():
            one = same.pop() if same and len(chosen) < count else None
            if one and _ends(one)[0] >= first and _ends(one)[1] <= last and _is_moderate(one.input):
                chosen.append(one)
    return sorted(chosen, key=lambda one: (one.rows, str(one)))


def _ends(request):
    return min(request.flat_positions), max(request.flat_positions)


def _is_moderate(vectors):
    if vectors is None:
        return True
    numbers = _flat(vectors.tolist())
    return all(one == 0 or 1 / _GREATEST_INPUT < abs(one) < _GREATEST_INPUT for one in numbers)


def _flat(numbers):
    for one in numbers:
        if isinstance(one, list):
            yield from _flat(one)
        else:
            yield one


def _judged(implementation, request, options):
    """The mistake in the answer to a request, or None, and the verdict on it."""
    tensors = implementation.answer(request)
    for one in request.wanted:
        tensor = tensors[one.role]
        if tensor.dtype != one.dtype:
            return f"the response has {one.role} of {tensor.dtype}, expected {one.dtype}", None
        if tensor.shape != one.shape:
            return f"the response has {one.role} of shape {list(tensor.shape)}, expected {list(one.shape)}", None
    known = {"positions": request.positions}
    if request.input is not None and any(not is_gradient(role) for role in request.roles):
        known["input"] = request.input
    if any(is_gradient(role) for role in request.roles):
        known["output_gradient"] = request.input
    verdict = check(request.spec, **known, **tensors, **options)
    # Few rows may be too few for some checks.
    return (None if verdict.exit_code in (0, 4) else verdict.text), verdict


def _shortest(implementation, request, options):
    """The shortest part of the rows that fails too. Its cause may be another's: few rows have many explanations."""
    tries, size = _MOST_TRIES, request.rows // 2
    if request.wanted[0].role not in ("cos", "sin", "encoding", "rotated", "input_gradient") or len(request.positions.shape) != 1:
        return request
    while size > 0 and tries > 0:
        for first in range(0, request.rows, size):
            part = request.of_rows(range(first, min(first + size, request.rows)))
            tries -= 1
            try:
                found, _ = _judged(implementation, part, options)
            except Exception:  # it refuses this part
                found = None
            if found is not None:
                request = part
                break
            if tries == 0:
                break
        size = min(size, request.rows) // 2
    return request
