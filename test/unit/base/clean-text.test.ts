/** Which texts are taken, in which form, and which are refused because something in them cannot be seen. */
import { expect, test } from 'vitest';
import {
  cleanText,
  hiddenFault,
  hiddenTexts,
  holdsHidden,
  replaceHidden,
  trimText,
  withTrimmedTexts,
} from '../../../src/base/clean-text.ts';
import { failureOf } from '../../helpers/failure.ts';

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

test.each([
  ['a carriage return', 'INV-501\r'],
  ['line breaks', '\nINV-501\r\n'],
  ['tabs', '\tINV-501\t'],
  ['no-break spaces', '\u00a0INV-501\u202f'],
  ['spaces of typesetters', '\u2003INV-501\u2009\u3000'],
  ['a byte order mark', '\ufeffINV-501'],
  ['spaces without a width', '\u200bINV-501\u200b\u2060'],
  ['a soft hyphen', 'INV-501\u00ad'],
  ['marks of direction', '\u200eINV-501\u200f'],
  ['several of them', ' \u200b\r\n INV-501\u200d \ufeff'],
  ['blanks of Braille, of music and of old scripts', '\u2800\u1680INV-501\u{1d159}\u{16fe4}\ufffc'],
  ['a selector that selects nothing', 'INV-501\ufe0f'],
])('%s at an end is trimmed', (_, text) => {
  expect(trimText(text)).toBe('INV-501');
  expect(cleanText(text, '--reference')).toBe('INV-501');
});

test.each([['', ' \r\n', '\u200b', '\ufeff\u00a0\u00ad']])('%j is blank', (text) => {
  expect(trimText(text)).toBe('');
});

test.each([
  ['plain words', 'INV 501 / March (2)'],
  ['accents in either form', 'Größe, Großé, e\u0301'],
  ['Hebrew, Arabic and Persian', 'שָׁלוֹם مُحَمَّد می‌خواهم'],
  ['Hindi with joiners', 'क्‍ष न्‌ल'],
  ['Japanese with its wide space', '山田\u3000太郎'],
  ['Braille, a note and hieroglyphs', '\u2801\u{1d15f} \u{13000}\u{18b00}'],
  ['emoji, also at the end', '👩‍👩‍👧 🏳️‍🌈 1️⃣ ❤️'],
  ['a han with a selector at the end', '葛\u{e0100}'],
  ['signs', '#1 – “x” … 25 % · №'],
])('%s are taken as they are', (_, text) => {
  expect(cleanText(text, 'name')).toBe(text);
});

test.each([
  ['a tab', 'INV\t501', 'has a tab (U+0009) at character 4'],
  ['a line break', 'INV\n501', 'has a line break (U+000A) at character 4'],
  ['a carriage return', 'INV\r501', 'has a carriage return (U+000D) at character 4'],
  ['a no-break space', 'INV\u00a0501', 'has a no-break space (U+00A0) at character 4'],
  ['a narrow one', '1\u202f000', 'has a narrow no-break space (U+202F) at character 2'],
  ['a thin space', '1\u2009000', 'has a character that is not visible (U+2009) at character 2'],
  ['a zero-width space', 'INV-\u200b501', 'has a zero-width space (U+200B) at character 5'],
  ['a mark inside', 'INV\ufeff501', 'has a byte order mark (U+FEFF) at character 4'],
  ['a soft hyphen', 'INV\u00ad501', 'has a soft hyphen (U+00AD) at character 4'],
  ['an override', 'INV-\u202e1203', 'has a character that is not visible (U+202E) at character 5'],
  [
    'another control at an end',
    'INV-501\0',
    'has a character that is not visible (U+0000) at character 8',
  ],
  [
    'an empty pattern of Braille',
    'A\u2800B',
    'has a character that is not visible (U+2800) at character 2',
  ],
  [
    'a note without a head',
    'A\u{1d159}B',
    'has a character that is not visible (U+1D159) at character 2',
  ],
  [
    'a filler of Khitan',
    'A\u{16fe4}B',
    'has a character that is not visible (U+16FE4) at character 2',
  ],
  [
    'a blank of hieroglyphs',
    'A\u{13441}B',
    'has a character that is not visible (U+13441) at character 2',
  ],
  [
    'the place of an object',
    'A\ufffcB',
    'has a character that is not visible (U+FFFC) at character 2',
  ],
  ['NUL', 'a\0b', 'has a character that is not visible (U+0000) at character 2'],
  ['a noncharacter', '\ufdd01001', 'has a character that is not visible (U+FDD0) at character 1'],
  ['half a character', 'a\ud800b', 'has a character that is not visible (U+D800) at character 2'],
  ['the first of two, after an emoji', '💳\tb\u00a0', 'has a tab (U+0009) at character 2'],
])('%s inside is refused by name and place', async (_, text, fault) => {
  expect(hiddenFault(text)).toBe(fault);
  const failure = await failureOf(async () => cleanText(text, '--reference'));
  expect(failure).toMatchObject({ kind: 'usage', message: `--reference ${fault}.`, sent: false });
});

test('all texts of a body are trimmed, and what they hide is found, also in lists and names', () => {
  const body = {
    a: ' x\r',
    n: 1,
    none: null,
    list: [{ b: '\ufeffy' }],
    c: { d: 'p\tq', 'e\u200bf': 1 },
  };
  const clean = withTrimmedTexts(body);
  expect(clean).toEqual({ ...body, a: 'x', list: [{ b: 'y' }] });
  expect(hiddenTexts(clean)).toEqual([
    { field: 'c.d', problem: 'has a tab (U+0009) at character 2' },
    { field: 'c.e\u200bf', problem: 'has a zero-width space (U+200B) at character 2' },
  ]);
});
