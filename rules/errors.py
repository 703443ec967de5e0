"""Everything that can be said to be wrong with input, on one screen.

What the *table* does wrong is no error: it is a problem in the verdict. These are for words,
files and settings that cannot be understood. Every leaf is also a builtin, so that callers who
know nothing of us can still catch it, and every message says what, where, got and expected.
"""


class ParkwardenError(Exception):
    """The root: catch this to catch everything the product raises on purpose."""


class BadWord(ParkwardenError, ValueError):
    """A cell, anchor, colour or piece that is none."""

    def __init__(self, what: str, got: object, expected: str) -> None:
        super().__init__(f"{_shorten(got)} is no {what}: expected {expected}")


class BadLine(ParkwardenError, ValueError):
    """A line of input that cannot be understood."""


class BadRecord(ParkwardenError, ValueError):
    """A written game that cannot be read, or that the rules do not allow."""

    def __init__(self, line: int, column: int, got: str, expected: str) -> None:
        self.line, self.column, self.got, self.expected = line, column, got, expected
        super().__init__(f"line {line}, column {column}: got {got}, expected {expected}")


class BadSetting(ParkwardenError, ValueError):
    """A setting that does not exist, or a value it cannot take."""


class BadPack(ParkwardenError, ValueError):
    """A pack.toml with mistakes: all of them, one a line."""

    def __init__(self, where: str, mistakes: list[str]) -> None:
        super().__init__("\n".join(f"{where}: {mistake}" for mistake in mistakes))


class BadStep(ParkwardenError, LookupError):
    """An undo or a correction that points at a move that was never made."""


class UnknownGame(ParkwardenError, LookupError):
    """A game that no pack plays."""


def _shorten(got: object, most: int = 60) -> str:
    """The offending thing as a message can bear it: escaped, and not a hundred megabytes long."""
    text = ascii(got)
    return text if len(text) <= most else f"{text[:most]}…"
