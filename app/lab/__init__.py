"""The lab: one page for each mechanism, with an interactive stage and quiz cards."""
