"""Opening models: what is missing, broken or another model is said in one line that names the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.eye import load_models
from vision.nets import ModelError, Net

from .tiny_onnx import identity_net


def test_a_net_runs(tmp_path: Path) -> None:
    path = tmp_path / "same.onnx"
    path.write_bytes(identity_net("crop", ("one", "two")))
    given = np.arange(6, dtype=np.float32).reshape(2, 3)
    two, one = Net(path, "crop", ("two", "one")).run(given)
    assert np.array_equal(one, given)
    assert np.array_equal(two, given)


def test_a_batch_the_net_cannot_take(tmp_path: Path) -> None:
    path = tmp_path / "same.onnx"
    path.write_bytes(identity_net("crop", ("one",)))
    with pytest.raises(ModelError, match=r"same\.onnx.*cannot run on \[1, 1, 1\]"):
        Net(path, "crop", ("one",)).run(np.zeros((1, 1, 1), np.float32))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "missing"),
        (b"", "not a model"),
        (b"not a net at all", "not a model"),
        (identity_net("crop", ("one",))[:-20], "not a model"),
        (identity_net("picture", ("one",)), "another model"),
        (identity_net("crop", ("other",)), "another model"),
    ],
)
def test_a_file_that_is_no_such_net(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "reader.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError) as error:
        Net(path, "crop", ("one",))
    text = str(error.value)
    assert str(path) in text
    assert says in text
    assert "vision/models/README.md" in text
    assert "\n" not in text


def test_models_name_the_first_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"localiser\.onnx: the model file is missing"):
        load_models(tmp_path)
