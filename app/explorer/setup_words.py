"""The Explorer's words for settings that have no menu of their own, for "This model also differs in: …"."""

from attn_core.messages import N_, _

WORDS = {
    "encoder.name": N_("type of encoder"),
    "encoder.cell": N_("cell of the encoder"),
    "encoder.hidden": N_("width of the encoder"),
    "encoder.layers": N_("layers of the encoder"),
    "encoder.bidirectional": N_("directions of the encoder"),
    "decoder.layers": N_("layers of the decoder"),
    "decoder.start": N_("first state of the decoder"),
    "decoder.first_word": N_("first input of the decoder"),
    "decoder.combine": N_("layer before the output"),
    "decoder.attentional": N_("width of the layer before the output"),
    "embedding": N_("width of the word embeddings"),
    "shared": N_("one vocabulary for both languages"),
    "dropout": N_("dropout"),
    "output_dropout": N_("dropout before the output"),
    "init": N_("initial weights"),
    "train.epochs": N_("epochs"),
    "train.rate": N_("learning rate"),
    "train.schedule": N_("schedule of the learning rate"),
    "train.warmup": N_("warm-up"),
    "train.wide": N_("epochs with a wider window"),
    "train.average": N_("average of the weights"),
    "train.max_length": N_("longest training sentence"),
    "train.min_frequency": N_("rarest word of the vocabulary"),
    "train.subword": N_("words or word pieces"),
    "train.vocabulary": N_("size of the vocabulary"),
    "train.patience": N_("early stopping"),
    "train.precision": N_("number format in training"),
    "teacher": N_("teacher models"),
}


def setting_in_words(name: str) -> str:
    """A setting in words, or its name if it has none here: readers may train models with any settings."""
    return _(WORDS[name]) if name in WORDS else name
