"""What many believe about scores, and what is so."""

from app.lab import score_evidence as evidence
from app.lab.cards import Card

CARDS = (
    Card(
        "concat",
        "Luong's concat is another kind of score than Bahdanau's additive one",
        "One matrix on $[h_t; \\bar h_s]$, or two matrices and a sum. How far apart can the scores be?",
        ("They are equal, for the right matrices", "Close, but never equal", "They have nothing in common"),
        0,
        "$W_a[h_t; \\bar h_s] = W_1 h_t + W_2 \\bar h_s$, where $W_1$ and $W_2$ are the left and the right half of "
        "$W_a$. It is one function in two spellings. (The *authors' code* of Luong differs: it leaves $\\bar h_s$ as "
        "it is, so half of the matrix is missing.)",
        evidence.concat_is_additive,
        "Bahdanau 2015, A.1.2; Luong 2015, eq. 7; nmt.matlab for the code",
    ),
)
