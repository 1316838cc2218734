"""Every number and claim in a text, checked against the facts."""
