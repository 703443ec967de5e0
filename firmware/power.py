"""The plug of a device that stands on a simulated table: it is pulled for real.

The device runs in a process of its own. Pulling the plug kills that process as the power would,
with nothing flushed, closed or said; a moment later it is started anew, as a Pi would be. On a real
Pi there is none of this: systemd starts the device, and the plug is a plug.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import Final

OFF_S: Final = 1.0
"""How long the device stays dark."""


def supervise(command: Sequence[str], again: Sequence[str]) -> int:
    """Run the device, and `again` whenever its plug was pulled; its exit code when it ends."""
    while True:
        device = subprocess.Popen(command)
        command = again

        def pass_on(
            number: int, _: FrameType | None, device: subprocess.Popen[bytes] = device
        ) -> None:
            device.send_signal(number)

        before = {
            number: signal.signal(number, pass_on) for number in (signal.SIGTERM, signal.SIGINT)
        }
        try:
            exit_code = device.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if exit_code != -signal.SIGKILL:
            return exit_code
        time.sleep(OFF_S)


def device_command(arguments: Sequence[str]) -> list[str]:
    """How this very program is started as the device itself."""
    return [sys.executable, "-m", "firmware.cli", "run", *arguments, "--plugged-in"]


def pull() -> None:
    """No goodbye: from one moment to the next there is no device."""
    os.kill(os.getpid(), signal.SIGKILL)
