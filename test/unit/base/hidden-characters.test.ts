/** Which characters are shown as escapes because they hide something, and which stay because they are read. */
import { expect, test } from 'vitest';
import { holdsHidden, replaceHidden } from '../../../src/base/hidden-characters.ts';

const shown = (text: string) => replaceHidden(text, () => '#');

test.each([
  ['an override', 'INV-\u202e1203', 'INV-#1203'],
  ['embeddings', '\u202aa\u202bb\u202c\u202dc', '#a#b##c'],
  ['isolates', '\u2066a\u2067b\u2068c\u2069', '#a#b#c#'],
  ['marks of direction', 'a\u200eb\u200fc\u061cd', 'a#b#c#d'],
  ['spaces without a width', 'WEB\u200b-\u2060302\ufeff1', 'WEB#-#302#1'],
  ['a joiner between letters of Latin', 'WE\u200dB-\u200c1', 'WE#B-#1'],
  ['a joiner between digits', '30\u200d21', '30#21'],
  ['a joiner at an end', '\u200dalef ا\u200d', '#alef ا#'],
  ['a selector behind a digit', 'WEB-3\ufe0f021', 'WEB-3#021'],
  ['a selector behind a letter', 'A\ufe0f\u{e0101}', 'A##'],
  ['a soft hyphen, and what joins graphemes', 'a\u00adb\u034fc', 'a#b#c'],
  [
    'fillers of Hangul, and what Khmer and Mongolian do not show',
    '\u115fa\u3164\u17b4\u180e',
    '#a###',
  ],
  ['tags', 'a\u{e0041}\u{e007f}b', 'a##b'],
  ['annotations', 'a\ufff9b\ufffac\ufffb', 'a#b#c#'],
  ['separators of lines', 'a\u2028b\u2029', 'a#b#'],
  ['controls', 'a\u001b[2Jb\u009bc\u007f\n', 'a#[2Jb#c##'],
  ['noncharacters', 'a\ufdd0b\ufdefc\ufffe\uffff\u{1fffe}\u{10ffff}', 'a#b#c####'],
  ['half a surrogate pair', 'a\ud83db\udc00', 'a#b#'],
])('%s is escaped', (_, text, escaped) => {
  expect(shown(text)).toBe(escaped);
  expect(holdsHidden(text)).toBe(true);
});

test.each([
  ['Hebrew with points, and Latin beside it', 'שָׁלוֹם WEB-1'],
  ['Arabic with vowels', 'مُحَمَّد 2026'],
  ['Persian with a letter that is not joined', 'می‌خواهم'],
  ['Hindi and Malayalam with joiners', 'क्‍ष न्‌ल ക്‍ര'],
  ['emoji of several', '👩‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥'],
  ['a keycap and a sign in colour', '1️⃣ #️⃣ ©️ ☎︎'],
  ['a name with a variant of an ideograph', '葛\u{e0100}飾 辻\u{e0101}'],
  ['combining marks', 'é ñ Z͑ Việt'],
  ['Chinese, Japanese, Korean, Thai', '王伟 ベンジャミン 김철수 ภาษาไทย'],
  ['spaces that are seen', 'a\u00a0b\u3000c'],
])('%s is shown', (_, text) => {
  expect(shown(text)).toBe(text);
  expect(holdsHidden(text)).toBe(false);
});
