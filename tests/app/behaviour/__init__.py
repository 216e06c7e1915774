"""What a reader does in the Explorer, and what the Explorer then shows.

The rule of these tests: they find everything as a reader or a screen reader does (roles, accessible names, states,
headings, the address, downloaded files, and the numbers of the tab "Tables"), through the page object
`tests.helpers.explorer`. They use no CSS class, no event and no function of the page, so they hold unchanged when its
code is rewritten. What the page computes is compared with what Python computes for the same model, sentence and
settings.
"""
