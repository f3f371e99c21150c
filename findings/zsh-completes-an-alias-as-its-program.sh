#!/usr/bin/env bash
# zsh 5.9 (Debian's 5.9-4) and bash 5.2: a user knows a program of a clone by an alias, `alias pay=…/pay.mjs`, and loads
# its completion, which is set for the name `pay`.
#
# Guess: the completion of a name works for an alias of that name, as it does in bash.
# Seen: zsh puts the alias away before it looks for a completion, so that of `pay` is never asked. One that is set for
# `pay.mjs`, the file behind the alias, is.
# Output seen: bash: refund, zsh: ref, zsh with the file's name: refund
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
[[ $(zsh --version) == 'zsh 5.9 '* && $BASH_VERSION == 5.2.* ]] || { echo "this is no zsh 5.9 and bash 5.2"; exit 1; }
printf '#!/bin/sh\necho "ran <$1>"\n' >pay.mjs
chmod +x pay.mjs
# typed SHELL...: what the program gets of `pay ref`, completed with Tab.
typed() {
  printf 'pay ref\t\nexit\n' | HOME=$PWD ZDOTDIR=$PWD TERM=dumb script -qec "$*" /dev/null | sed -n 's/.*ran <\([a-z]*\) *>.*/\1/p'
}
alias="alias pay='$PWD/pay.mjs'"
zsh_completion='autoload -Uz compinit; compinit -u; _pay() { compadd refund }; compdef _pay'
printf '%s\ncomplete -W refund pay\n' "$alias" >.bashrc
in_bash=$(typed bash --noprofile --rcfile .bashrc -i)
printf '%s\n%s pay\n' "$alias" "$zsh_completion" >.zshrc
by_name=$(typed zsh -i)
printf '%s\n%s pay.mjs\n' "$alias" "$zsh_completion" >.zshrc
by_file=$(typed zsh -i)
seen="bash: $in_bash, zsh: $by_name, zsh with the file's name: $by_file"
echo "$seen"
[[ $seen == "bash: refund, zsh: ref, zsh with the file's name: refund" ]] || { echo "it has changed"; exit 1; }
