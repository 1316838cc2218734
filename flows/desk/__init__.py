"""The steps of a run as plain functions: plan, ingest, gate, pack, debate, publish. Flows only order them."""
