"""The lab: pages that take one mechanism apart, each with cards to guess at before they tell."""
