"""What stands in a text: numbers, units, periods, companies and the words that name quantities (PRODUCT T1)."""
