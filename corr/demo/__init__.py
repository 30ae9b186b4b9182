"""The whole server in one process, with a page of mailboxes, to try it."""
