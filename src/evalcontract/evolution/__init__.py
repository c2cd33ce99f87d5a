"""Differences and compatibility between schema versions, the freeze of released ones, and migration."""
