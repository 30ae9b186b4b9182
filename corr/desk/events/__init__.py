"""Events: sections that fill and begin by themselves, and a pyramid for each variant."""
