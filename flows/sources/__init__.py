"""One upstream per file; every fetch returns an Envelope."""
