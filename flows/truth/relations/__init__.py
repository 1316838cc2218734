"""Claims that are relations between values, decided by facts: comparisons, extremes, streaks, turns (PRODUCT T2)."""
