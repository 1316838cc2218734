"""Generator of the embedded sample market; run ``python data/sample/generate.py``."""
