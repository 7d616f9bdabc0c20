"""libvernier by ctypes: its functions, and their failures as exceptions."""

import ctypes
import json
import os
import weakref

ABI_VERSION = 2
OK, UNSUPPORTED, REJECTED, _BROKEN, STOPPED = 0, 1, 2, 3, 4


class VernierError(Exception):
    """Vernier could not carry out a call."""


class InputError(VernierError, ValueError):
    """An argument is wrong: one sentence, or one line per fault."""


def one_line(error):
    return " ".join(f"{type(error).__name__}: {error}".split())


class DataType(ctypes.Structure):
    """DLPack's DLDataType (dmlc/dlpack, include/dlpack/dlpack.h), as are the next two."""

    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class NamedTensor(ctypes.Structure):
    _fields_ = [("role", ctypes.c_char_p), ("tensor", ctypes.POINTER(Tensor))]


class Question(ctypes.Structure):
    """A question to an implementation in this process: see vernier.h."""

    _fields_ = [
        ("spec", ctypes.c_char_p),
        ("positions", ctypes.POINTER(Tensor)),
        ("input", ctypes.POINTER(Tensor)),
        ("wanted", ctypes.POINTER(NamedTensor)),
        ("wanted_count", ctypes.c_size_t),
    ]


Asked = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(Question), ctypes.c_void_p)


def _load():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libvernier.so.1")
    library = ctypes.CDLL(path)
    text, place = ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)
    tensor = ctypes.POINTER(Tensor)
    for name, result, arguments in (
        ("abi_version", ctypes.c_uint32, []),
        ("version", text, []),
        ("free", None, [ctypes.c_void_p]),
        ("judge", ctypes.c_int32, [text, text, ctypes.POINTER(NamedTensor), ctypes.c_size_t, place, place]),
        ("arithmetic", ctypes.c_int32, [text, text, ctypes.POINTER(NamedTensor), ctypes.c_size_t, place]),
        ("verdict_free", None, [ctypes.c_void_p]),
        ("verdict_exit_code", ctypes.c_int32, [ctypes.c_void_p]),
        ("verdict_text", ctypes.c_int32, [ctypes.c_void_p, text, place]),
        ("answer", ctypes.c_int32, [ctypes.c_void_p, text, tensor, place]),
        ("decline", None, [ctypes.c_void_p, text]),
        ("validate", ctypes.c_int32, [text, text, Asked, ctypes.c_void_p, place, place]),
        ("questions", ctypes.c_int32, [text, text, Asked, ctypes.c_void_p, place]),
        ("tensors", ctypes.c_int32, [text, text, tensor, place]),
        ("table", ctypes.c_int32, [text, text, text, tensor, tensor, place]),
        ("understand", ctypes.c_int32, [text, text, place]),
    ):
        function = getattr(library, "vernier_" + name)
        function.restype, function.argtypes = result, arguments
    if library.vernier_abi_version() != ABI_VERSION:
        raise ImportError(f"{path}: found ABI {library.vernier_abi_version()}, expected {ABI_VERSION}")
    return library


_library = _load()


def version():
    return _library.vernier_version().decode()


def _encoded(text):
    if "\0" in text:
        raise InputError("found a zero character in a text, expected none")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InputError(f"found a text with the lone surrogate {text[error.start]!r}, expected Unicode") from error


def _options_text(options):
    parts = []
    for key, value in options.items():
        try:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}" if value is not None else "")
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"{key}: found {type(value).__name__} that is not JSON ({one_line(error)}), expected what "
                             "JSON has") from error
    return _encoded("{" + ", ".join(filter(None, parts)) + "}")


def _taken(place):
    """The text at a place, which the library handed out."""
    if not place.value:
        return ""
    try:
        return ctypes.string_at(place.value).decode("utf-8", "replace")
    finally:
        _library.vernier_free(place.value)


def _call(function, *arguments):
    """Calls a function whose last argument is the place of a text. Returns that text."""
    __tracebackhide__ = True  # pytest shows the caller's line
    place = ctypes.c_void_p()
    code = function(*arguments, ctypes.byref(place))
    text = _taken(place)
    if code != OK:
        raise (InputError if code == REJECTED else VernierError)(text or "not enough memory for this")
    return text


class VerdictHandle:
    """A verdict that the library holds, until this is no longer there."""

    def __init__(self, function, *arguments):
        __tracebackhide__ = True
        self._pointer = ctypes.c_void_p()
        _call(function, *arguments, ctypes.byref(self._pointer))
        # At the interpreter's end others may still read it.
        weakref.finalize(self, _library.vernier_verdict_free, self._pointer).atexit = False
        self.exit_code = _library.vernier_verdict_exit_code(self._pointer)

    def text(self, form):
        return _call(_library.vernier_verdict_text, self._pointer, form.encode())


def judge(spec, options, tensors):
    """tensors: pairs of a role and a Tensor."""
    __tracebackhide__ = True
    named = (NamedTensor * len(tensors))()
    for place, (role, tensor) in zip(named, tensors):
        place.role, place.tensor = _encoded(role), ctypes.pointer(tensor)
    return VerdictHandle(_library.vernier_judge, _encoded(spec), _options_text(options), named, len(named))


def arithmetic(spec, options, tensors):
    """tensors: as judge() takes them."""
    named = (NamedTensor * len(tensors))()
    for place, (role, tensor) in zip(named, tensors):
        place.role, place.tensor = _encoded(role), ctypes.pointer(tensor)
    return json.loads(_call(_library.vernier_arithmetic, _encoded(spec), _options_text(options), named, len(named)))


def validate(spec, options, answer):
    """answer: a function of a Question and of the address of its answer, which returns a code and raises nothing."""
    asked = Asked(lambda user, question, place: answer(question.contents, place))
    return VerdictHandle(_library.vernier_validate, _encoded(spec), _options_text(options), asked, None)


def questions(spec, options, listen):
    """listen: a function of a Question."""
    raised = []

    def asked(user, question, place):
        try:
            listen(question.contents)
            return OK
        except BaseException as error:  # which C cannot pass on
            raised.append(error)
            return STOPPED

    try:
        _call(_library.vernier_questions, _encoded(spec), _options_text(options), Asked(asked), None)
    except VernierError:
        if raised:
            raise raised[0] from None
        raise


def give(place, role, tensor):
    _call(_library.vernier_answer, place, _encoded(role), tensor)


def decline(place, reason):
    _library.vernier_decline(place, _encoded(reason.replace("\0", " ")))


def tensors_of(spec, options, positions):
    """The tensors of an encoding, a list of {"role", "shape", "exact"}."""
    return json.loads(_call(_library.vernier_tensors, _encoded(spec), _options_text(options), positions))


def write_table(spec, options, role, positions, out):
    _call(_library.vernier_table, _encoded(spec), _options_text(options), _encoded(role), positions, out)


def understand(config, options):
    return json.loads(_call(_library.vernier_understand, _encoded(config), _options_text(options)))
