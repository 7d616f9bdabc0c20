from ..._asked import Unjudged


def trials(thing, dtypes):
    raise Unjudged("no adapter yet")
    yield
