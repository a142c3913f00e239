"""The work itself: typed functions over plain data, one folder a capability, no workflow engine inside."""
