"""Files, Markdown, HTML and tables as pieces of text whose offsets lead back to the file (PRODUCT T8)."""
