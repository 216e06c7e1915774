#!/bin/sh
# Checks the JSDoc types of the project's JavaScript. Prints one line and skips the check without node or npm.
# TypeScript is installed into .venv/typescript and used only for this check.
set -eu
cd "$(dirname "$0")/.."
version=7.0.2
place=.venv/typescript
tsc=$place/node_modules/.bin/tsc

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "node or npm not found: skipping the type check of the JavaScript."
    exit 0
fi
if [ "$("$tsc" --version 2>/dev/null)" != "Version $version" ]; then
    mkdir -p "$place"
    if ! npm install --prefix "$place" --no-save --no-audit --no-fund --loglevel=error "typescript@$version" >/dev/null; then
        echo "TypeScript $version could not be installed: skipping the type check of the JavaScript." >&2
        exit "${REQUIRE_TYPES:-0}"
    fi
fi
exec "$tsc" -p .ci/tsconfig.json
