"""A table, a camera and a display that do not exist, for playing without any hardware.

Nothing is faked past the edges: the table is rendered to frames that go through all of seeing, and
the display rebuilds its picture from the bytes that would have gone over the wire.
"""
