"""From tables to numbered facts: the frozen pack a debate argues over."""
