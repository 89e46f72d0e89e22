#!/usr/bin/env bash
# Install what tests/e2e/test_emacs.py needs: Emacs with Eglot, from Debian's packages. Does nothing when both are there.
set -euo pipefail
if command -v emacs >/dev/null && emacs -q --batch -f package-initialize --eval "(require 'eglot)" 2>/dev/null; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "$0: Emacs with Eglot is not installed, and only root can install it with apt-get. Install Emacs 29 or newer, or as root: apt-get install emacs-nox elpa-eglot" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends emacs-nox elpa-eglot >/dev/null
