"""Run Assay with ``python -m assay``."""

import sys

from assay.server.entry import main

if __name__ == "__main__":
    sys.exit(main())
