"""`python -m kifu.replay`: the command line, where the script `replay` is not on the path."""

from . import main

main()
