"""The wiring: Prefect flows, DVC stage commands and the command line. No logic of the work itself lives here."""
