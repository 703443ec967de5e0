"""Networks that read the cells of a game's board, one file a game, and how they were made.

    python -m vision.weights.train masterplan
    python -m vision.weights.calibrate masterplan

render tables, train on them and write `masterplan.onnx`, then measure on other tables how far its
confidence can be trusted and write `masterplan.toml`. Only training needs torch. Pyramids took more
tables: `train subdivision --tables 12000 --steps 7200`, `calibrate … --tables 600 --silent 2000`.
"""
