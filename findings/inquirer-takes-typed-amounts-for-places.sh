#!/usr/bin/env bash
# @inquirer/select 4.4.2 on Node 20.20, with @inquirer/testing: a list of amounts, of which a user types one and presses Enter.
#
# Guess: typed text goes to the choice that begins with it, as it does with letters.
# Seen: digits are the place of a choice in the list, also where all choices begin with digits. Digits for which the list is
# too short are passed over, so 2500 chooses the second amount, and 400 the fourth.
# Output seen: 2500 of 2500, 1200, 400, 90, 75 chooses 1200; 400 chooses 90; fifty of ten, fifty chooses fifty
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @inquirer/select@4.4.2 @inquirer/testing@3.3.13
cat >ask.mjs <<'END'
import select from '@inquirer/select';
import { render } from '@inquirer/testing';

async function chosen(text, choices) {
  const { answer, events } = await render(select, { message: 'Which one?', choices });
  for (const key of text) events.type(key);
  events.keypress('enter');
  return answer;
}
const amounts = ['2500', '1200', '400', '90', '75'];
const [first, third] = [await chosen('2500', amounts), await chosen('400', amounts)];
const word = await chosen('fifty', ['ten', 'fifty']);
console.log(`2500 of ${amounts.join(', ')} chooses ${first}; 400 chooses ${third}; fifty of ten, fifty chooses ${word}`);
END
seen=$(node ask.mjs)
echo "$seen"
[[ $seen == '2500 of 2500, 1200, 400, 90, 75 chooses 1200; 400 chooses 90; fifty of ten, fifty chooses fifty' ]] || { echo "it has changed"; exit 1; }
