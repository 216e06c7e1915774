"""The training task of a model and a corpus that are in memory already."""

from attn_core.data.corpus import Corpus, Pairs
from attn_core.models.translator import Translator
from attn_core.training.corpus_task import CorpusTask
from attn_core.training.prepare import Material, Texts
from attn_core.training.task import Run


class ReadyTask(CorpusTask):
    """Training of `model` on `train`, with nothing left to prepare."""

    def __init__(self, run: Run, model: Translator, train: Corpus, valid: Pairs, references: list[str]):
        super().__init__(run, lambda: Texts([], []), ("", ""), tokenized=True)
        self.material = Material(model.source, model.target, train, len(train), valid, references)
        self.device = next(model.parameters()).device
        self.begin(model)

    def prepare(self) -> None:
        """Nothing to do."""
