"""Put this folder on PYTHONPATH of a child process to lead its real clients to the parent's local upstream.

Reads UPSTREAM_HTTP_PORT, UPSTREAM_BAOSTOCK_PORT and UPSTREAM_ROOT (the repository) and does nothing without them.
"""

import os
import sys

if os.environ.get("UPSTREAM_HTTP_PORT"):
    sys.path.insert(0, os.environ["UPSTREAM_ROOT"])
    from tests.upstream import web

    web.redirect(int(os.environ["UPSTREAM_HTTP_PORT"]))
    if os.environ.get("UPSTREAM_BAOSTOCK_PORT"):
        from baostock.common import contants

        contants.BAOSTOCK_SERVER_IP = contants.BAOSTOCK_VIP_SERVER_IP = "127.0.0.1"
        contants.BAOSTOCK_SERVER_PORT = int(os.environ["UPSTREAM_BAOSTOCK_PORT"])
