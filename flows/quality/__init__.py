"""The gate: Great Expectations suites over small frames that SQL computed."""
