"""One module per group of commands; ``__main__`` imports them only when they are asked for."""
