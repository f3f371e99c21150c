import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { guardStream } from '../../../src/host/guard-stream.ts';

test('whatever is written to a guarded stream is scrubbed, and heard of as before', async () => {
  const stream = new PassThrough();
  guardStream(stream, (text) => text.replaceAll('secret', '***'));
  const bytes = Buffer.from([0xff, 0xfe, 0x00]);
  await new Promise((resolve) => stream.write('a secret,', resolve));
  await new Promise((resolve) => stream.write('a secret,', 'utf8', resolve));
  stream.write(Buffer.from('a secret,'));
  stream.end(bytes);
  expect(Buffer.concat(await stream.toArray())).toEqual(
    Buffer.concat([Buffer.from('a ***,a ***,a ***,'), bytes]),
  );
});
