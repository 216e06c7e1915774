#!/bin/sh
# Formats the JavaScript of the project (`format`), or checks its format, the types in its JSDoc comments and the props
# in its templates (`check`).
# Prettier and TypeScript are installed into .venv/javascript and used only here. Without node or npm it prints one line.
set -eu
cd "$(dirname "$0")/.."
prettier=3.10.1
typescript=7.0.2
place=.venv/javascript
commands=$place/node_modules/.bin

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "node or npm not found: skipping the JavaScript's format and types."
    exit 0
fi
# Before the first installation both commands are missing, which must not end the script.
installed="$("$commands/prettier" --version 2>/dev/null || :) $("$commands/tsc" --version 2>/dev/null || :)"
if [ "$installed" != "$prettier Version $typescript" ]; then
    mkdir -p "$place"
    if ! npm install --prefix "$place" --no-save --no-audit --no-fund --loglevel=error \
        "prettier@$prettier" "typescript@$typescript" >/dev/null; then
        echo "Prettier and TypeScript could not be installed: skipping the JavaScript's format and types." >&2
        exit "${REQUIRE_NPM:-0}"
    fi
fi
pretty() {
    "$commands/prettier" --config .ci/prettier.json --log-level warn "$1" \
        --cache --cache-strategy content --cache-location "$place/prettier" \
        "{app,attn_core,tests,.ci}/**/*.{js,cjs,mjs,d.ts}" "!attn_core/browser/vendor/**"
}
if [ "${1:-check}" = format ]; then
    pretty --write
else
    pretty --check
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    node --expose-internals .ci/typed-templates.cjs "$copy"
    mkdir "$copy/.ci"
    cp .ci/tsconfig.json .ci/props.d.ts "$copy/.ci"
    tsc=$PWD/$commands/tsc
    (cd "$copy" && "$tsc" -p .ci/tsconfig.json)
fi
