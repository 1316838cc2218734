"""``python -m tests.upstream.serve --prices DIR``: the local upstream until interrupted, for runs by hand.

Prints the environment that leads a client process here, e.g.
``env $(cat FILE) python -m flows review --sources live --symbols 600000.SH,000001.SZ --as-of 2025-03-31``.
"""

from __future__ import annotations

import argparse
import threading
from pathlib import Path

from tests.real_data import REAL
from tests.upstream.world import real_world

ROOT = Path(__file__).resolve().parents[2]


def environment(http_port: int, tcp_port: int) -> dict[str, str]:
    """Variables for a child process whose clients shall end up at these ports, with generous own limits."""
    return {
        "PYTHONPATH": f"{Path(__file__).parent / 'inject'}:{ROOT}",
        "UPSTREAM_ROOT": str(ROOT),
        "UPSTREAM_HTTP_PORT": str(http_port),
        "UPSTREAM_BAOSTOCK_PORT": str(tcp_port),
        "ZHENGMING_VENDOR_CALLS_PER_MINUTE": (
            '{"baostock":100000,"eastmoney":100000,"cninfo":100000,"exchanges":100000,"sina":100000,"tencent":100000}'
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prices", type=Path, default=REAL / "prices")
    options = parser.parse_args()
    with real_world(options.prices).serving() as ports:
        print("\n".join(f"{name}={value}" for name, value in environment(*ports).items()), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
