"""Whether a claim with a number holds against the facts, by value or by formula (PRODUCT T2, T3)."""
