"""Cited facts as references that a claim can be held against."""
