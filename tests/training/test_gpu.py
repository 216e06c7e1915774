"""Requirements of training on a GPU, checked without one."""

import weakref
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from attn_core import devices, processor
from attn_core.attention.mode import Mode
from attn_core.data.corpus import Pairs, make_batch
from attn_core.models.recipe import TrainConfig
from attn_core.training import distributed
from attn_core.training import loop as training
from attn_core.training.corpus_task import Loss
from attn_core.training.distributed import World, join
from attn_core.training.loop import make_optimizer
from attn_core.training.run_state import Progress, State
from attn_core.training.speed import cuda_graphs as replay
from attn_core.training.task import Run, settle_precision
from tests.helpers.ready import ReadyTask
from tests.helpers.support import LUONG, RECURRENT, SPREAD, VARIANTS, close, sentences, tiny

# As from batch_order: longest source first, several of each length. Long enough for Attention.near.
SOURCES, EVEN, TARGETS = sentences(13, 13, 7, 2), sentences(13, 13, 13, 13), sentences(2, 4, 4, 1, seed=2)
# As on a GPU, except where ONEDNN_MAX_CPU_ISA keeps oneDNN from multiplying bf16: torch's LSTM then fails.
PRECISION = "bf16" if processor.computes_bf16() else "fp32"
WAITS = ("_local_scalar_dense", "nonzero", "masked_select", "equal", "is_nonzero", "_unique2", "unique_dim")


class Waits(AssertionError):
    """Raised where Python would wait for a GPU."""


class Kernels(TorchDispatchMode):
    """Raises for an operation whose result or shape Python needs, and for a copy from the CPU to a device.

    Tensors on other devices than the tested one, such as the lengths of packed sentences, may be read.
    """

    def __init__(self, device="cpu"):
        super().__init__()
        self.device = device

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        indices = args[1] if name in ("index", "index_put", "index_put_", "_index_put_impl_") else []
        masks = [index for index in indices if index is not None and index.dtype in (torch.bool, torch.uint8)]
        if masks or (name in WAITS and args[0].device.type == self.device):
            raise Waits(name)
        found = function(*args, **(kwargs or {}))
        if name in ("_to_copy", "copy_"):
            kinds = {arg.device.type for arg in (*args, found) if isinstance(arg, torch.Tensor)}
            if len(kinds) > 1:
                raise Waits(name)
        return found


class Methods(TorchFunctionMode):
    """Raises for methods that read a tensor's memory without an operation."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name in ("tolist", "numpy", "cpu", "__array__"):
            raise Waits(name)
        return function(*args, **(kwargs or {}))


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_loss_and_its_gradients_wait_for_nothing(name):
    model = tiny(**VARIANTS[name] | {"dropout": 0.2, "output_dropout": 0.1}).float().train()
    packs = (
        model.config.decoder.name != "attend-then-update"
    )  # torch's CPU kernel reads the lengths, as it may; see below
    for sources in (EVEN,) if packs else (SOURCES, EVEN):
        batch = make_batch(sources, TARGETS)
        with Kernels(), Methods(), devices.autocast(torch.device("cpu"), PRECISION):
            model.loss(batch, 0.1).backward()
    assert sum(weight.grad is not None for weight in model.parameters()) > 10


@pytest.mark.parametrize("name", ["bahdanau-printed", "luong-paper"])
def test_a_loss_and_its_gradients_need_no_values(name):
    """On torch's `meta` device tensors have only shapes; mixing it with the CPU fails as on a GPU."""
    meta = torch.device("meta")
    model = tiny(**VARIANTS[name]).float().train().to(meta)
    batch = make_batch([source[-5:] for source in SOURCES], TARGETS).map(lambda tensor: tensor.to(meta))
    assert 0 < sum(batch.source_lengths) < batch.source.numel()
    with Kernels("meta"):
        model.loss(batch, 0.1).backward()
    if name == "luong-paper":  # whose encoder packs
        with Kernels("meta"), pytest.raises(Waits, match="copy"):
            model.encoder(batch.source, batch.source_mask, batch.source_lengths[::-1])


def test_operations_that_wait_are_found():
    """Tests the check itself, for example with boolean masks and lengths counted on the device."""
    model, batch = tiny(**LUONG).float(), make_batch(SOURCES, TARGETS)
    for wait in (
        lambda: batch.outputs[batch.target_mask],
        lambda: batch.outputs.masked_select(batch.target_mask),
        lambda: batch.target_mask.all() or 1,
        lambda: int(batch.outputs.max()),
        lambda: batch.outputs.float().mean().item(),
        batch.outputs.cpu,
        lambda: model.encode(batch.source, batch.source_mask),
    ):
        with Kernels(), Methods(), pytest.raises(Waits):
            wait()


@pytest.mark.parametrize("optimizer", ["adam", "sgd", "adadelta"])
def test_an_update_waits_for_nothing(optimizer):
    """Everything that fit does per update: loss, gradient norm, optimiser, total, and the mean of the weights."""
    model = tiny(**LUONG | {"feeding": True, "window": "local-p"}).float().train()
    recipe = TrainConfig(batch=2, accumulate=2, optimizer=optimizer)
    batches = {tuple(rows): Pairs(EVEN, TARGETS).batch(np.array(rows)) for rows in ([0, 1], [2, 3])}

    class Ready(Pairs):
        def batch(self, chosen):
            return batches[tuple(chosen)]

    before = [weight.detach().clone() for weight in model.parameters()]
    mean = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    task = ReadyTask(Run(model.config, recipe, Path()), model, Ready(EVEN, TARGETS), Pairs([], []), [])
    optimizer, update = make_optimizer(model, recipe), task.update(np.arange(4), epochs_done=0)
    assert (update.words, update.divisor, len(update.parts)) == (15, 15, 2)
    with Kernels(), Methods():
        training.take_update(task.loss, optimizer, update, recipe, World())
        training._blend(mean, model, 0.9)
    assert not all(torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))


@pytest.fixture
def recordings(monkeypatch):
    """The recorded graphs; a check of their requirements replaces torch's CUDA graphs."""
    found = []

    def record(loop, example, allow_unused_input):
        assert allow_unused_input
        assert not torch.is_autocast_enabled("cpu")
        assert all(part.is_leaf for part in example)
        found.append([tuple(part.shape) for part in example])

        def run(*given):
            assert [(x.shape, x.dtype, x.requires_grad) for x in given] == [
                (x.shape, x.dtype, x.requires_grad) for x in example
            ]
            return loop(*given)

        return run

    monkeypatch.setattr(torch.cuda, "make_graphed_callables", record)
    return found


def gradients(loss, batch):
    loss.model.zero_grad()
    total = loss(batch)
    total.backward()
    return [total.detach(), *(w.grad.clone() for w in loss.model.parameters() if w.grad is not None)]


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", [name for name in SPREAD if name in RECURRENT])
def test_a_replayed_loop_has_the_same_gradients(name, recordings):
    model = tiny(**SPREAD[name]).train()
    plain, graphs = (Loss(model, TrainConfig(precision="fp32", graphs=on)) for on in (False, True))
    for sources in (SOURCES, EVEN):
        batch = make_batch(sources, TARGETS)
        for found, wanted in zip(gradients(graphs, batch), gradients(plain, batch), strict=True):
            close(found, wanted, 1e-10)
    assert len(recordings) == 1
    assert recordings[0][0] == (4, 8)
    assert recordings[0][1] == (4, 16)


def test_a_loop_is_recorded_for_each_shape_and_width(recordings, monkeypatch):
    model = tiny(**LUONG | {"window": "local-p"}).float().train()
    run = replay.Replay(model, PRECISION)
    for widening in (float("inf"), 1.0, 1.0):
        run(make_batch(SOURCES, TARGETS), Mode(widening=widening))
    assert len(recordings) == 2
    run(make_batch(SOURCES[:2], TARGETS[:2]))
    run(make_batch(SOURCES, sentences(9, 1, 1, 1)))
    run(make_batch(sentences(10, 10, 10, 10), TARGETS))  # rounded up to 16, as before
    assert len(recordings) == 4
    monkeypatch.setattr(replay, "MOST", 4)
    run(make_batch(SOURCES[:1], TARGETS[:1]))
    assert len(recordings) == 5
    assert run(make_batch(sentences(2, 2, 2), sentences(3, 3, 3))).shape == (3, 4, 2)
    assert len(recordings) == 5
    for _ in range(2):
        run(make_batch(SOURCES, TARGETS), Mode(widening=4.0))  # the graphs of the last width are released
    assert len(recordings) == 6
    assert len(run.loops) == 1


class Mark:
    """Attached to a node of a graph: a weak reference shows whether the node is still in memory."""


@pytest.mark.parametrize("precision", ["fp32", PRECISION])
def test_no_forward_pass_is_in_memory_when_a_loop_is_recorded(precision, monkeypatch):
    """On an H200 the recording failed for concat, because the encoder's forward pass had used its W_a too."""
    model = tiny(**LUONG | {"score": "concat"}).float().train()
    encode, living = model.encode, []

    def watched(*given):
        memory, carry = encode(*given)
        for weight in model.parameters():  # the node that accumulates its gradient lives as long as a graph has it
            marks = weight.expand_as(weight).grad_fn.next_functions[0][0].metadata
            marks["pass"] = Mark()
            living.append(weakref.ref(marks["pass"]))
        return memory, carry

    def record(loop, example, allow_unused_input):
        assert not any(one() for one in living)
        recorded.append(loop)
        return loop

    recorded = []
    monkeypatch.setattr(model, "encode", watched)
    monkeypatch.setattr(torch.cuda, "make_graphed_callables", record)
    _total = Loss(model, TrainConfig(precision=precision, graphs=True))(make_batch(SOURCES, TARGETS))
    assert len(recorded) == 1
    assert any(one() for one in living), "the second forward pass must still be in memory"


def test_graphs_raise_an_error_where_they_cannot_be_used(tmp_path):
    run = Run(tiny().config, TrainConfig(graphs=True), tmp_path)
    with pytest.raises(ValueError, match="needs a GPU, but this run is on cpu"), run.begin(World(torch.device("cpu"))):
        pass
    with pytest.raises(ValueError, match="needs a single process, not 2"):
        TrainConfig(graphs=True).check_hardware("cuda", 2)
    with pytest.raises(ValueError, match="accumulate=1"):
        TrainConfig(graphs=True, accumulate=2)


def test_the_device_by_name(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    assert devices.device_of() == devices.device_of("cpu") == torch.device("cpu")
    for name in ("mps", "gpu", ""):
        with pytest.raises(ValueError, match=f"not {name!r}"):
            devices.device_of(name)
    with pytest.raises(ValueError, match="finds none here"):
        devices.device_of("cuda")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    assert [devices.device_of(name) for name in ("auto", "cuda:1")] == [torch.device("cuda"), torch.device("cuda:1")]
    assert torch.backends.cudnn.rnn.fp32_precision != "tf32"
    assert not torch.backends.cudnn.allow_tf32  # reading it fails where the newer settings disagree
    with pytest.raises(ValueError, match="finds only 2 here"):
        devices.device_of("cuda:2")


@pytest.mark.parametrize(
    ("vendor", "able", "wanted"),
    [
        ("AuthenticAMD", "avx512_bf16", "bf16"),
        ("AuthenticAMD", "avx512_f", "fp32"),
        ("GenuineIntel", "amx_bf16", "fp32"),
        ("GenuineIntel", "avx512_bf16", "fp32"),
        ("", "bf16", "fp32"),
        ("", "avx512_bf16", "fp32"),
    ],
)
def test_bf16_where_it_was_measured_to_be_faster(vendor, able, wanted, monkeypatch):
    cpu = torch.device("cpu")
    monkeypatch.setattr(processor, "vendor", lambda: vendor)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {able: True})
    monkeypatch.setattr(processor, "onednn_has_bf16", lambda: True)
    assert devices.best_precision(cpu) == wanted
    with devices.autocast(cpu, "auto"):
        assert torch.is_autocast_enabled("cpu") == (wanted == "bf16")


@pytest.mark.parametrize("able", [True, False])
def test_bf16_where_the_gpu_has_it(able, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: able)
    assert devices.best_precision(torch.device("cuda")) == ("bf16" if able else "fp32")


@pytest.mark.parametrize(("name", "wanted"), [("auto", "cuda:1"), ("cuda", "cuda:1"), ("cpu", "cpu")])
def test_a_process_of_several_takes_its_own_gpu(name, wanted, monkeypatch):
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)
    assert distributed._own_device(name) == torch.device(wanted)
    for variable, value in {"WORLD_SIZE": "2", "MASTER_ADDR": "localhost", "MASTER_PORT": "29500"}.items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match="not 'cuda:0'"), join("cuda:0"):
        pass


def test_auto_precision_is_decided_once(tmp_path, monkeypatch):
    """A resumed run keeps its precision on any machine; a precision given by name is not changed."""
    monkeypatch.setattr(devices, "best_precision", lambda device: "bf16")
    recipe, world = TrainConfig(), World()
    assert recipe.precision == "auto"
    assert settle_precision(recipe, tmp_path, False, world).precision == "bf16"
    assert settle_precision(TrainConfig(precision="fp32"), tmp_path, False, world).precision == "fp32"
    model = tiny().float()
    run = {"precision": "fp32"}
    State(tmp_path, model, make_optimizer(model, recipe), {}, run, world).store(Progress())
    assert settle_precision(recipe, tmp_path, True, world).precision == "fp32"
    assert settle_precision(recipe, tmp_path, False, world).precision == "bf16"
    assert settle_precision(recipe, tmp_path / "missing", True, world).precision == "bf16"
    (tmp_path / "state.safetensors").write_bytes(b"no state")
    assert settle_precision(recipe, tmp_path, True, world).precision == "bf16"
