/**
 * A program around the real host, one verb each, for what only a real process shows: signals,
 * closed pipes, exit codes, terminals. It reports failures the way `start.ts` does.
 */
import { execFileSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { Failure } from '../../../src/failure.ts';
import { createHost } from '../../../src/host/create.ts';
import type { Host } from '../../../src/host/host.ts';

const [verb = '', ...args] = process.argv.slice(2);
const host = createHost();

const VERBS: Readonly<Record<string, (host: Host) => Promise<void>>> = {
  /** Writes argument 0 megabytes. */
  async write({ stdout }) {
    for (let i = 0; i < Number(args[0]); i++) await stdout.write('x'.repeat(1_000_000));
  },
  /** Says of each of 50 megabytes what became of it, once for each that is new. */
  'write-on': async ({ stdout, stderr }) => {
    let last = '';
    for (let i = 0; i < 50; i++) {
      const said = await stdout.write('x'.repeat(1_000_000)).then(
        () => 'taken',
        ({ code }) => code,
      );
      if (said !== last) await stderr.write(`${said}\n`);
      last = said;
    }
  },
  /** Leaves everything to the flush of `exit`. */
  async 'write-unawaited'({ stdout, stderr }) {
    void stdout.write('x'.repeat(3_000_000));
    void stderr.write('y'.repeat(3_000_000));
  },
  /** Says what its process is called, and runs until stdin is closed. */
  'name-and-wait': async ({ processes, stdin, stdout }) => {
    await stdout.write(`${processes.self}\n`);
    for await (const _ of stdin.lines(1000));
  },
  /** Says whether the process of that name has ended. */
  'is-gone': async ({ processes, stdout }) => stdout.write(`${processes.isGone(args[0] ?? '')}\n`),
  /** Writes a line for each line of stdin. */
  async echo({ stdin, stdout, stderr }) {
    await stderr.write(args[0] ?? '');
    for await (const line of stdin.lines(1000)) await stdout.write(`${JSON.stringify(line)}\n`);
  },
  async text({ stdin, stdout, stderr }) {
    await stderr.write(args[0] ?? '');
    await stdout.write(JSON.stringify(await stdin.text(1000)));
  },
  async 'first-line'({ stdin, stdout }) {
    for await (const line of stdin.lines(1000)) {
      await stdout.write(line);
      return;
    }
  },
  /** Writes to stderr until told to stop by stdin. */
  async complain({ stdin, stderr, stdout }) {
    await stdout.write('ready\n');
    for await (const _ of stdin.lines(1000)) {
      for (let i = 0; i < 5; i++) await stderr.write('complaint\n');
    }
    await stdout.write('done\n');
  },
  async describe({ stdin, stdout, stderr }) {
    const { isTerminal, columns, color } = stdout;
    const streams = { isTerminal, columns, color, stdin: stdin.isTerminal, stderr: stderr.color };
    await stdout.write(`${JSON.stringify(streams)}\n`);
  },
  /** Works until interrupted; `stubborn` does not even then. */
  async wait({ stdout, clock, interrupted }) {
    await stdout.write('waiting\n');
    await clock.sleep(600_000, interrupted);
  },
  async stubborn({ stdout, clock, interrupted }) {
    interrupted.addEventListener('abort', () => void stdout.write('asked\n'));
    await stdout.write('waiting\n');
    await clock.sleep(600_000);
  },
  async ask({ prompts, stdout }) {
    const name = await prompts.text('Name?', {
      initial: 'Ada',
      check: (value) => value !== 'no' || 'not that one',
    });
    const token = await prompts.hidden('Token?');
    const sure = await prompts.confirm('Sure?');
    await stdout.write(`${JSON.stringify({ name, token, sure })}\n`);
  },
  /** Asks what is hidden, and tells when the terminal showed keys. */
  async hide({ prompts, stdout }) {
    const write = process.stderr.write.bind(process.stderr);
    const said: [when: string, showsKeys: boolean][] = [];
    const note = (when: string) => {
      const settings = execFileSync('stty', ['-a'], { stdio: ['inherit', 'pipe', 'inherit'] });
      said.push([when, / echo /.test(settings.toString())]);
    };
    process.stderr.write = (text: string | Uint8Array, ...rest) => {
      const when = /(?:Token|Card)\?|^\n$/.exec(text.toString())?.[0];
      if (when) note(when);
      return write(text, ...(rest as []));
    };
    await prompts.hidden('Card?', { check: (value) => value !== 'no' || 'not that one' });
    note('between');
    await prompts.hidden('Token?');
    await setImmediate();
    note('after');
    await stdout.write(JSON.stringify(said));
  },
  /** Has one of twenty chosen. */
  async choose({ prompts, stdout }) {
    const choices = Array.from({ length: 20 }, (_, i) => ({ value: `${i}`, name: `choice ${i}.` }));
    await stdout.write(await prompts.select('Which?', choices));
  },
  async shell({ shell, stdout }) {
    await stdout.write(await shell.run(args[0]!, Number(args[1] ?? 60_000)));
  },
  /** Writes argument 0 lines for a person to leaf through, and a note after them. */
  async leaf({ paged, stdout, stderr, endPaged }) {
    const output = paged() ?? stdout;
    for (let i = 1; i <= Number(args[0]); i++) await output.write(`line ${i}\n`);
    await endPaged();
    await stderr.write('noted\n');
    await stdout.write('ended\n');
  },
  async exit({ exit }) {
    await exit(Number(args[0]));
  },
};

try {
  await VERBS[verb]!(host);
  await host.stdout.write('');
  await host.exit(0);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  await host.endPaged();
  if (error.kind !== 'unread')
    await host.stderr.write(`${error.kind}: ${error.message} ${error.next} sent: ${error.sent}\n`);
  await host.exit(error.exitCode);
}
