"""What the server does, each thing in one transaction, room by room."""
