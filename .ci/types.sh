#!/bin/sh
# Checks the types of our JavaScript, which stand in its JSDoc. Skipped, in one line, where node or npm is missing.
# The checker is installed into .venv/typescript; it is never part of what runs.
set -eu
cd "$(dirname "$0")/.."
version=7.0.2
place=.venv/typescript
tsc=$place/node_modules/.bin/tsc

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "node and npm are not here: the types of the JavaScript are not checked."
    exit 0
fi
if [ "$("$tsc" --version 2>/dev/null)" != "Version $version" ]; then
    mkdir -p "$place"
    if ! npm install --prefix "$place" --no-save --no-audit --no-fund --loglevel=error "typescript@$version" >/dev/null; then
        echo "TypeScript $version could not be installed: the types of the JavaScript are not checked." >&2
        exit "${REQUIRE_TYPES:-0}"
    fi
fi
exec "$tsc" -p .ci/tsconfig.json
