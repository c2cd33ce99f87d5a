"""Pages: results as one HTML file each, which asks nothing of anyone and runs nothing that comes from data."""
