"""The protocol of `reconchess`, so that its bots play here unchanged."""
