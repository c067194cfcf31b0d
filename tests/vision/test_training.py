"""The trainers run, go on from their checkpoint, and export what the runtime reads (extra `train`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
import onnxruntime  # noqa: E402

from vision.training import embedding, localiser, reader, refiner  # noqa: E402
from vision.training.data import _shard, box_of  # noqa: E402
from vision.training.export import export  # noqa: E402
from vision.training.fit import Plan, Shelf, fit  # noqa: E402
from vision.training.nets import Embedding, Localiser, Reader, Refiner  # noqa: E402


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tiny shards of each kind, drawn without packaged art."""
    out = tmp_path_factory.mktemp("data")
    for what in ("tables", "crops"):
        for number in range(2):
            _shard((what, number, 6, out, out / "no art"))
    return out


def test_a_shard_that_is_there_is_not_drawn_again(data: Path) -> None:
    path = data / "crops_0000.npz"
    before = path.stat().st_mtime_ns
    assert "is there" in _shard(("crops", 0, 6, data, data))
    assert path.stat().st_mtime_ns == before


def test_shards_repeat_by_number(data: Path, tmp_path: Path) -> None:
    _shard(("crops", 1, 6, tmp_path, data / "no art"))
    with np.load(data / "crops_0001.npz") as one, np.load(tmp_path / "crops_0001.npz") as two:
        assert np.array_equal(one["bytes"], two["bytes"])
        assert np.array_equal(one["labels"], two["labels"])
        assert set(one["labels"][:, 0]) <= {0, 1, 2}
        assert one["labels"][:, 1].max() <= 12


@pytest.mark.parametrize("name", ["localiser", "refiner", "reader", "embedding"])
def test_a_net_learns_resumes_and_exports(
    name: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (localiser, refiner, reader):
        monkeypatch.setattr(module, "BATCH", 2)
    monkeypatch.setattr(embedding, "DESIGNS", 9)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    shelf = Shelf(data, "tables" if name == "localiser" else "crops")
    net, source, loss_of = {
        "localiser": (Localiser, lambda: localiser.batches(shelf, rng), localiser.loss_of),
        "refiner": (Refiner, lambda: refiner.batches(shelf, rng), refiner.loss_of),
        "reader": (Reader, lambda: reader.batches(shelf, rng), reader.loss_of),
        "embedding": (Embedding, lambda: embedding.batches(data / "no art", rng), embedding.loss_of),
    }[name]
    for steps in (2, 3):
        plan = Plan(steps, keep_every=1)
        fit(net(), name, plan, tmp_path, lambda step: source(), loss_of, lambda net: "tested")
    said = capsys.readouterr().out
    assert "going on from step 2" in said
    assert f"{name} 3 test: tested" in said
    target = tmp_path / f"{name}.onnx"
    assert export(name, tmp_path / f"{name}.pt", target) < 1e-3
    session = onnxruntime.InferenceSession(str(target))
    told = {
        "localiser": {"heat": [1, 4, 24, 40], "geometry": [1, 6, 24, 40]},
        "refiner": {"corners": [3, 8]},
        "reader": {"kind": [3, 3], "rank": [3, 13], "suit": [3, 4]},
        "embedding": {"embedding": [3, 64]},
    }[name]
    size = {"localiser": (1, 3, 96, 160), "refiner": (3, 3, 136, 96), "reader": (3, 3, 160, 112)}.get(
        name, (3, 3, 96, 96)
    )
    (wanted,) = session.get_inputs()
    found = session.run(list(told), {wanted.name: np.zeros(size, np.float32)})
    assert [list(one.shape) for one in found] == list(told.values())


def test_the_targets_of_a_box_lead_back_to_it() -> None:
    boxes = np.array([[0, 101.0, 66.0, 31.0, 44.0, 0.6, -0.8, 1.0], [1, 41.0, 22.5, 18.0, 18.0, 1.0, 0.0, 1.0]])
    heat, weight, geometry, shares = localiser.targets(boxes.astype(np.float32), 160, 96)
    found = localiser.peaks(heat, geometry, least=0.9)
    assert found[:, 0].tolist() == [0, 1]
    assert found[:, 1:7] == pytest.approx(boxes[:, 1:7], abs=0.01)
    assert weight.min() == 1
    assert shares[1].max() == 1, "the card has an angle to learn"
    assert shares[1][:8, 6:14].max() == 0, "the round piece has none"


def test_a_box_is_the_same_from_either_end() -> None:
    from vision.render import Truth

    corners = np.array([[10, 10], [73, 10], [73, 98], [10, 98]], float)
    one = box_of(Truth("2h", "card", True, corners, 1.0))
    other = box_of(Truth("2h", "card", True, np.roll(corners, 2, 0), 1.0))
    assert one == pytest.approx(other)
    assert one == pytest.approx((41.5, 54, 63, 88, -1, 0), abs=1e-9)
