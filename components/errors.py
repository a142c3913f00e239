"""The one base class of errors that a user can mend."""


class UserError(ValueError):
    """Bad input. The message is one line: which file, line or field, what was expected, and the mend.

    The command line prints it and exits with code 2; nothing has been written when it is raised.
    """
