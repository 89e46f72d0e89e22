"""Run the command line with ``python -m assay``."""

import sys

from assay.server.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
