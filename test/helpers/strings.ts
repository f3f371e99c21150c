/** Texts that programs stumble over, for tests that send them in one way and read them back in another. */

/** Each with what it is called in the title of a test. gw takes them all, without what cannot be seen at their ends. */
export const STRINGS: readonly (readonly [what: string, text: string])[] = [
  ['a space before', ' before'],
  ['a space after', 'after '],
  ['single quotes', "O'Neill"],
  ['double quotes', '"quoted"'],
  ['one double quote', 'a"b'],
  ['a comma', 'a,b'],
  ['a semicolon', 'a;b'],
  ['a backslash', 'a\\b\\n'],
  ['a byte order mark', '\ufeffa'],
  ['a combining mark', 'e\u0301\u0301\u0301'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['a name of objects', '__proto__'],
  ['another one', 'constructor'],
  ['a hyphen', '-'],
  ['two hyphens', '--'],
  ['a flag', '-x'],
  ['a longer flag', '--dry-run'],
  ['a formula', '=cmd()'],
  ['another formula', '@SUM(A1)'],
  ['a plus', '+1'],
  ['a percent sign', '%00'],
  ['a path', '../../etc/passwd'],
  ['a command', '$(id)'],
  ['another command', '`id`'],
  ['a format', '%s%n%d'],
  ['JSON', '{"a":[1]}'],
  ['a large number', '12345678901234567890123'],
  ['a number with an exponent', '1e3'],
  ['a hexadecimal number', '0x10'],
  ['another digit', '٣'],
  ['no number', 'NaN'],
  ['null', 'null'],
  ['true', 'true'],
  ['wide digits', '１２３'],
  ['a hash', '#1'],
  ['a question mark', 'a?b=c&d'],
  ['dots', '..'],
];

/** Texts with a character inside that cannot be seen: gw takes none of them, and shows those that a gateway sends. */
export const HIDDEN_STRINGS: readonly (readonly [what: string, text: string])[] = [
  ['a tab', 'a\tb'],
  ['a line feed', 'a\nb'],
  ['a carriage return', 'a\rb'],
  ['both', 'a\r\nb'],
  ['NUL', 'a\0b'],
  ['colours', '\u001b[31mred\u001b[0m'],
  ['a cleared screen', '\u001b[2J\u001b[H'],
  ['a link', '\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\'],
  ['a clipboard', '\u001b]52;c;ZXZpbA==\u0007'],
  ['C1 controls', 'a\u009b31m\u0085b'],
  ['DEL', 'a\u007fb'],
  ['a backspace', 'a\b\bb'],
  ['text from right to left', 'a\u202egnp.exe'],
  ['an isolate', 'x\u2066a\u2069y'],
  ['nothing wide', 'a\u200bb\u200d'],
  ['half of a character', 'a\ud800b'],
  ['the other half', 'b\udc00a'],
  ['a line separator', 'a\u2028b'],
];

/** Texts that a file can hold: UTF-8 has no half of a character. */
export function isForFiles(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

/** Texts that a system call can pass on. */
export function isForArgv(text: string): boolean {
  return isForFiles(text) && !text.includes('\0');
}
