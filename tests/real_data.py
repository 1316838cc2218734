"""Where the real market data lies, for tests only; absent elsewhere, and then those tests are skipped."""

from pathlib import Path

import pytest

REAL = Path(__file__).resolve().parents[1].parent / "shared" / "real"
needs_real = pytest.mark.skipif(not REAL.is_dir(), reason="the real market data folder is not beside the project")
