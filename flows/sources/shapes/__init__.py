"""Pure normalisers: a vendor's own columns in, the kind's raw contract out, every doubt a DataRejected.

``shapes/<vendor>.py`` holds one function per kind, ``<kind>(frame, request) -> frame``. The result has
the columns of ``RAW_TABLES[kind]`` without the system columns, holds nothing published after
``request.now``, and may be empty; the transport then decides between NO_DATA and NOT_READY.
"""
