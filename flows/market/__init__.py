"""The market's rules and arithmetic: pure functions, no I/O, no clock."""
