"""What an operator may see and do, who may play too."""
