"""The errors that the command line has words for."""


class UserError(ValueError):
    """Bad input. The message is one line: which file, line or field, what was expected, and the mend.

    The command line prints it and exits with code 2; nothing has been written when it is raised.
    """


class Unavailable(RuntimeError):
    """Something outside did not answer; trying again later may help. The message is one line: what, and the mend."""
