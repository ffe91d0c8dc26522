"""Several instructions in one message: each is applied to the result of the previous one."""
