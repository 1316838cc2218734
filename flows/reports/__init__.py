"""What a person reads: Markdown, HTML and JSON of one content."""
