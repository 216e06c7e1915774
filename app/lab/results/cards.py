"""Quiz cards about reading tables of results."""

from app.lab.kit.cards import Card
from attn_core.messages import N_

CARDS = (
    Card(
        "one-seed",
        N_("A model that is one BLEU better than another is the better model"),
        N_(
            "Small models were trained with three seeds each. A seed changes only the random numbers. What is the "
            "largest difference in BLEU between two seeds of the same model?"
        ),
        (N_("Below 0.1 BLEU"), N_("Between 0.1 and 1 BLEU"), N_("Above 1 BLEU")),
        2,
        N_(
            "With small models and a test set of 1000 captions, chance alone can be as large as many published "
            "improvements. A difference therefore needs several seeds and a confidence interval. (These models start "
            "from small word embeddings. With these, a model learns to attend late, and how late depends on the seed; "
            "with larger ones, seeds differ less. See notebook 03, part 7.)"
        ),
        "app.lab.results.data:one_seed",
        N_("`python -m tests.benchmarks claims`; Koehn 2004 on intervals"),
        level="research",
    ),
    Card(
        "smaller-vocabulary",
        N_("A smaller vocabulary lowers perplexity even if the model is no better"),
        N_("Rare words are replaced by the token <unk>, and the model stays as it is. What happens to its perplexity?"),
        (N_("It rises, since words are lost"), N_("It falls"), N_("It stays the same")),
        1,
        N_(
            "All rare words share one token, which is easier to predict than any of them. Perplexities can be compared "
            "only between models with the same vocabulary, such as the rows of one table here."
        ),
        "app.lab.results.data:smaller_vocabulary",
        N_("Luong 2015, section 4.1: 50,000 words; here: 2,500"),
        holds=True,
        level="research",
    ),
)
