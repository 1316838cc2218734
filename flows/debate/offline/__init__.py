"""The deterministic offline model: a rule-based speaker behind the wire format of a real server."""
