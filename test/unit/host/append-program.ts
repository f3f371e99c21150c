/** `append FILE NAME`: appends 400 lines, one by one. `take FILE`: takes the file until stdin is closed, and prints what it took. */
import { createFiles } from '../../../src/host/files/files.ts';

const [verb, file = '', name = ''] = process.argv.slice(2);
const files = createFiles({});

if (verb === 'append') {
  for (let i = 0; i < 400; i++) files.append(file, `${name}-${i}\n`);
} else {
  let isOver = false;
  process.stdin.on('end', () => {
    isOver = true;
  });
  process.stdin.resume();
  while (!isOver) {
    process.stdout.write(files.take(file) ?? '');
    await new Promise(setImmediate);
  }
}
