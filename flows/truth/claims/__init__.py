"""What a number claims: of whom, which quantity, in which form and for which period (PRODUCT T2)."""
