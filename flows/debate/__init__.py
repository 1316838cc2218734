"""One engine; a protocol is data. A pack goes in, a transcript comes out."""
