#!/usr/bin/env bash
# inquirer 14.2.5 on Node 20.20, asking on stderr: `createPromptModule({ output: process.stderr })`, as a program does whose
# stdout is read by another program.
#
# Guess: a question has colours if the stream on which it is drawn is a terminal.
# Seen: it has them if stdout is one, too. `tool | cat` draws the question in a terminal, without a colour.
# Output seen: colours with stdout on the terminal: yes, in a pipe: no
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund inquirer@14.2.5
cat >ask.mjs <<'END'
import { createPromptModule } from 'inquirer';
const ask = createPromptModule({ output: process.stderr });
await ask([{ type: 'confirm', name: 'go', message: 'Go on' }]);
END
# Runs a command on a terminal of its own, and answers when the question is there.
colours_of() {
  mkfifo keys
  : >drawn
  local has=no tries=0
  env -u NO_COLOR -u FORCE_COLOR TERM=xterm-256color script -qefc "$1" /dev/null <keys >drawn &
  exec 3>keys
  until grep -q 'Go on' drawn || ((++tries > 200)); do sleep 0.1; done
  printf 'y\r' >&3
  wait $!
  exec 3>&-
  grep -q $'\e\[3[0-9]m' drawn && has=yes
  rm keys drawn
  echo "$has"
}
seen="colours with stdout on the terminal: $(colours_of 'node ask.mjs'), in a pipe: $(colours_of 'node ask.mjs | cat')"
echo "$seen"
[[ $seen == 'colours with stdout on the terminal: yes, in a pipe: no' ]] || { echo "it has changed"; exit 1; }
