"""Events: sections that fill and begin automatically, and a pyramid for each variant."""
