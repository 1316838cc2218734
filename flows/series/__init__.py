"""What became of it: outcomes, reversals, calibration."""
