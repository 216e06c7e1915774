"""Parameter initialization, by the value of the setting `init`."""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor, nn


def _orthogonal(gates: Float[Tensor, "gn n"]) -> None:
    """Make each gate's matrix orthogonal."""
    for gate in gates.split(gates.size(1)):
        nn.init.orthogonal_(gate)


def _glorot(model: nn.Module) -> None:
    """Recurrent matrices orthogonal, gate by gate; word embeddings ~ N(0, 1/m); other matrices by fan-in and fan-out.

    Biases are zero, except that the forget gates of LSTMs start open, and the weights of layer norms are one.
    """
    scales = _scales(model)
    for name, parameter in model.named_parameters():
        if "embed" in name:
            nn.init.normal_(parameter, std=parameter.size(1) ** -0.5)
        elif _recurrent(name):
            _orthogonal(parameter)
        elif parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        elif name in scales:
            nn.init.ones_(parameter)
        elif parameter.dim() == 1 and "v_a" not in name:
            nn.init.zeros_(parameter)
    for lstm in (module for module in model.modules() if isinstance(module, nn.LSTM)):
        for name, parameter in lstm.named_parameters():
            if "bias_ih" in name:
                parameter.data.chunk(4)[1].fill_(1.0)  # the forget gates start open (Jozefowicz 2015)


def _large_embeddings(model: nn.Module) -> None:
    """As glorot, but word embeddings ~ N(0, 0.3^2), and the output matrix, of width n, ~ N(0, 3.6^2 / n).

    From N(0, 1/m), the gates of a new encoder hardly react to a word, so its states differ little within a sentence and
    attention cannot tell words apart: in a small preset it finds them an epoch later (tests/benchmarks/starts.jsonl). A
    small preset has n = 144, for which both deviations are 0.3; wider layers would otherwise start with larger logits.
    """
    _glorot(model)
    for name, parameter in model.named_parameters():
        if "embed" in name:
            nn.init.normal_(parameter, std=0.3)
    output = model.get_parameter("decoder.output.weight")  # the target embeddings too, where they are tied
    nn.init.normal_(output, std=3.6 * output.size(1) ** -0.5)


def _bahdanau2015(model: nn.Module) -> None:
    """Bahdanau 2015, B.1: recurrent matrices orthogonal; W_a, U_a ~ N(0, 0.001^2); v_a, biases 0; rest N(0, 0.01^2).

    W_a and U_a are the matrices of any score; those of windows, heads and values belong to the rest.
    """
    scales = _scales(model)
    for name, parameter in model.named_parameters():
        if _recurrent(name):
            _orthogonal(parameter)
        elif ".score." in name and parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.001)
        elif parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.01)
        elif name in scales:
            nn.init.ones_(parameter)
        elif parameter.dim() == 1:
            nn.init.zeros_(parameter)


def _luong2015(model: nn.Module) -> None:
    """Luong 2015, section 4.1: all parameters from U[-0.1, 0.1]."""
    for parameter in model.parameters():
        if parameter.dim():  # the learned scale of a score keeps its initial value
            nn.init.uniform_(parameter, -0.1, 0.1)


def _scales(model: nn.Module) -> set[str]:
    """The names of the weights of layer norms."""
    return {f"{name}.weight" for name, module in model.named_modules() if isinstance(module, nn.LayerNorm)}


def _recurrent(name: str) -> bool:
    """Whether a parameter is a recurrent matrix, by its name."""
    return "weight_hh" in name or ".U_gates." in name or ".U.weight" in name


STARTS: dict[str, Callable[[nn.Module], None]] = {
    "glorot": _glorot,
    "large-embeddings": _large_embeddings,
    "bahdanau2015": _bahdanau2015,
    "luong2015": _luong2015,
    "none": lambda model: None,  # weights are loaded
}
