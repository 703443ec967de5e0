"""Pictures of tables that do not exist: to learn from, to be tested on, to play without a camera.

>>> from rules.packs import load_pack
>>> import numpy as np
>>> rng = np.random.default_rng(1)
>>> scene = random_scene(rng, load_pack("masterplan").box, size_wh=(320, 240))
>>> render(scene, rng).shape
(240, 320, 3)
"""

from vision.scene.chance import random_fullness, random_scene, random_view
from vision.scene.deal import random_position
from vision.scene.furnish import random_look
from vision.scene.render import hand_mask, radiance_of, render
from vision.scene.scatter import random_hand
from vision.scene.sensor import expose
from vision.scene.stand import Foot, feet_mm
from vision.scene.table import Look, Scene

__all__ = [
    "Foot",
    "Look",
    "Scene",
    "expose",
    "feet_mm",
    "hand_mask",
    "radiance_of",
    "random_fullness",
    "random_hand",
    "random_look",
    "random_position",
    "random_scene",
    "random_view",
    "render",
]
