"""What passes between rooms: envelopes, tables, packs, transcripts, metrics. Declared here, once."""
