"""Who is said to have said what, and what models leave behind instead of an argument (PRODUCT T4)."""
