#!/usr/bin/env bash
# jsonc-parser 3.3.1, which edits the settings of people with comments in them.
#
# Guess: `modify` with formatting options adds a member and formats that member; whatever stands beside it stays.
# Seen: the member before it is laid out anew, and the comment at the end of its line then stands behind the new one, about
# which it does not speak.
# Output seen: the comment stands behind "b"
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund jsonc-parser@3.3.1
cat >edit.cjs <<'END'
const { applyEdits, modify } = require('jsonc-parser');
const before = '{\n  "servers": {\n    "a": {"port": 1}, // of Ada, do not change\n  },\n}\n';
const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
const after = applyEdits(before, modify(before, ['servers', 'b'], { port: 2 }, { formattingOptions }));
console.error(after);
const isBehindB = /"b": \{[^}]*\}, \/\/ of Ada/.test(after);
console.log(`the comment stands behind ${isBehindB ? '"b"' : 'its own'}`);
END
seen=$(node edit.cjs)
echo "$seen"
[[ $seen == 'the comment stands behind "b"' ]] || { echo "it has changed"; exit 1; }
