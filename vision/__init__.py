"""Seeing the table: from a picture to what stands where. It knows pieces, never a game."""
