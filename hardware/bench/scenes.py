"""Pictures for the guest's virtual camera: tables of ours, and what stands on them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware.simulated.look import lay_table, resize
from rules.board import format_position
from rules.packs import load_pack
from vision.scene import expose, radiance_of, random_position

SIZE_WH: Final = (1280, 960)
TAKES: Final = 4
"""Exposures of each scene, with noise of their own: a camera that repeats itself is a dead one."""
SCENES: Final = {"quarter": 0.25, "half": 0.5}
"""By name: how full the board is."""


def paint(folder: Path) -> None:
    """Each scene as a folder of pictures, and its position beside it."""
    box = load_pack("masterplan").box
    for seed, (name, fullness) in enumerate(SCENES.items()):
        chance = np.random.default_rng(seed)
        bare = lay_table(box, 0)
        scene = replace(
            bare, position=random_position(chance, box, fullness), view=resize(bare.view, SIZE_WH)
        )
        (folder / name).mkdir(parents=True)
        radiance = radiance_of(scene)
        for number in range(TAKES):
            picture = expose(radiance, scene.look.sensor, chance)
            # The virtual camera takes them in the order of the numbers they are named by.
            cv2.imwrite(
                str(folder / name / f"{number}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95]
            )
        stands = format_position(scene.position)
        (folder / f"{name}.json").write_text(json.dumps(stands), encoding="utf-8")
