"""What an operator, who may play too, can see and do."""
