"""The whole house in one process, with a page of mailboxes, for whoever tries it."""
