"""Stands in for pykms, which picamera2 imports in order to draw on a screen that is not here."""


class _Names(type):
    def __getattr__(cls, name: str) -> str:
        return name


class PixelFormat(metaclass=_Names):
    """Any format has a name, and that is all that is asked."""
