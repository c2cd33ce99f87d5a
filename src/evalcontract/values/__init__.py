"""The ground that everything stands on: equality, pointers, text and sharing of JSON values; it knows no contract."""
