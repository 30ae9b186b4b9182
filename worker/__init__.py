"""The processes that nobody waits for: Celery's workers, and the beat that wakes them."""
