import { expect, test } from 'vitest';
import { note } from '../../../src/host/note.ts';

test('the line of progress is erased by a write of its own, so that the note is broken between its words', async () => {
  const written: string[] = [];
  const stderr = {
    write: async (text: string) => void written.push(text),
    ...{ isTerminal: true, isPlain: false },
  };
  await note(stderr, 'Shown is ada@example.com.');
  expect(written).toEqual(['\r\u001b[K', 'Shown is ada@example.com.\n']);
});
