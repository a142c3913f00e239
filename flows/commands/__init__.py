"""The groups of commands of `hat`. What is slow to import is imported in the command that needs it."""
