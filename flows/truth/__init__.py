"""Every number, comparison and attribution in a text against numbered facts (PRODUCT T1–T8)."""
