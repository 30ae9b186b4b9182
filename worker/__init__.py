"""The background processes: Celery's workers, and the beat that wakes them."""
