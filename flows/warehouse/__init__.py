"""The DuckDB file: append-only raw tables, SQL models, read-only questions."""
