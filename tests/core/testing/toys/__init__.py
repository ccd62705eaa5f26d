"""Small games of many kinds, each in one file: the laws are right about each."""
