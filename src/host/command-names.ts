/** The names of commands and topics, by the files that the build made for them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface CommandNames {
  isCommand(words: readonly string[]): boolean;
  /** @returns whether the names of several commands begin with these words */
  isTopic(words: readonly string[]): boolean;
}

/** A word of a name. Others are not looked for, because they may lead out of the folder. */
const WORD = /^[a-z][a-z-]*$/;

/** @param root folder of `dist`, where the flags of `purchase get` are in `flags/purchase/get.json` */
export function commandNames(root: string): CommandNames {
  const exists = (words: readonly string[], ending: string) =>
    words.length > 0 &&
    words.every((word) => WORD.test(word)) &&
    existsSync(`${join(root, 'dist/flags', ...words)}${ending}`);
  return {
    isCommand: (words) => exists(words, '.json'),
    isTopic: (words) => exists(words, ''),
  };
}
