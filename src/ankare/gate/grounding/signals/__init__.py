"""What speaks against a claim, each on a fixed scale where 0 is nothing."""
