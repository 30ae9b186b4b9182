"""The contract of `reconchess`, by which its bots play here unchanged."""
