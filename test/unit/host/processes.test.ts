/** Processes that count as ended. Their requests may be sent again, so a process that may live never counts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createProcesses } from '../../../src/host/processes.ts';
import { bundle } from '../../helpers/bundle.ts';
import { run, start } from '../../helpers/run.ts';
import { havePrograms, mayUnshare } from '../../helpers/skip.ts';

const NAMESPACE = ['--pid', '--fork', '--mount-proc'];
const processes = createProcesses();
const [machine = '', boot = '', pid = '', begun = '', space = ''] = processes.self.split(' ');
const isLinux = process.platform === 'linux';
const name = (...parts: string[]) => parts.join(' ');

test('this process runs', () => {
  expect([machine, pid]).not.toContain('');
  if (isLinux) for (const part of [boot, begun, space]) expect(part).toMatch(/./);
  expect(processes.isGone(processes.self)).toBe(false);
});

test('a process has ended if it is gone or another program has its number', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect(processes.isGone(name(machine, boot, String(child.pid), '1', space))).toBe(true);
  if (isLinux) expect(processes.isGone(name(machine, boot, pid, '1', space))).toBe(true);
});

test.skipIf(!isLinux).each<[what: string, name: string, isGone: boolean | undefined]>([
  ['of an earlier start of this machine', name(machine, 'b', pid, begun, space), true],
  ['of another machine', name('x', boot, pid, begun, space), undefined],
  ['of another namespace', name(machine, boot, pid, begun, '1'), undefined],
  ['of another namespace, whose number nobody has', name(machine, boot, '0', '1', '1'), undefined],
  ['of a machine that does not say when it was started', name(machine, '', pid, ''), undefined],
  ['that does not say its namespace', name(machine, boot, pid, begun), undefined],
  ['that is no name', 'x', undefined],
  ['without a number', name(machine, boot, '', '', space), undefined],
])('the state of a process %s is reported as far as it is known', (_, theirs, isGone) => {
  expect(processes.isGone(theirs)).toBe(isGone);
});

describe.skipIf(!havePrograms('unshare') || !mayUnshare(...NAMESPACE))(
  'in another namespace',
  () => {
    let program: string;
    beforeAll(async () => {
      program = await bundle('test/unit/host/program.ts');
    });
    const judgedBy = async (command: string[], theirs: string) => {
      const [first = '', ...rest] = [...command, process.execPath, program, 'is-gone', theirs];
      return (await run(first, rest)).stdout.trim();
    };

    test.each([
      ['with its own /proc', NAMESPACE],
      ['that was left the /proc of the machine', ['--pid', '--fork']],
    ])('a process namespace %s: a running process never counts as ended', async (_, namespace) => {
      const other = start('unshare', [...namespace, process.execPath, program, 'name-and-wait']);
      onTestFinished(async () => {
        other.child.stdin?.end();
        await other.ended;
      });
      await other.printed(/\n/);
      const theirs = other.output().trim();
      expect(processes.isGone(theirs)).toBeUndefined();
      expect(await judgedBy([], theirs)).toBe('undefined');
      expect(await judgedBy(['unshare', ...namespace], theirs)).toBe('undefined');
      expect(await judgedBy(['unshare', ...namespace], processes.self)).toBe('undefined');
    });
  },
);
