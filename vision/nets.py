"""Open a trained net and run it; one clear error when its file is missing or broken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float32]

MODELS = Path(__file__).parent / "models"
"""The nets that are shipped."""


class ModelError(Exception):
    """A model file cannot be used; the text names it and says what to do."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}; install Gjøk again, or put back the file that vision/models/README.md lists")
        self.path = path


class Net:
    """One ONNX net on the CPU. Its inputs and outputs are checked by name when it is opened."""

    def __init__(self, path: Path, takes: str, gives: tuple[str, ...], *, threads: int = 1) -> None:
        """ModelError when *path* is not a readable net with the input *takes* and the outputs *gives*."""
        import onnxruntime  # slow to import: a table without a camera does without

        if not path.is_file():
            raise ModelError(path, "the model file is missing")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # our own error says it better
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has a dozen kinds for one broken file
            raise ModelError(path, f"not a model we can open ({_first_line(error)})") from None
        inputs = [one.name for one in self._session.get_inputs()]
        outputs = [one.name for one in self._session.get_outputs()]
        if inputs != [takes] or not set(gives) <= set(outputs):
            raise ModelError(path, f"another model: it maps {inputs} to {outputs}, not {takes} to {', '.join(gives)}")
        self.path = path
        self._takes, self._gives = takes, list(gives)

    def run(self, batch: Tensor) -> tuple[Tensor, ...]:
        """The outputs in the order they were asked for; ModelError when the net refuses the batch."""
        try:
            return tuple(self._session.run(self._gives, {self._takes: batch}))
        except Exception as error:
            raise ModelError(self.path, f"cannot run on {list(batch.shape)} ({_first_line(error)})") from None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:160]
