"""The operators' pages, and the figures for programs that watch the house."""
