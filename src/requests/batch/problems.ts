/** What is wrong with the input of a run over many lines. */
import { plural } from '../../base/plural.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { count } from './batch-report.ts';
import { MAX_PROBLEMS, type Plan } from './engine/preflight.ts';

/**
 * @param name of the input, `-` for stdin
 * @throws Failure usage when the input has problems, which are all on stderr then
 */
export async function refuseProblems(
  { stderr }: Pick<Host, 'stderr'>,
  name: string,
  plan: Plan,
): Promise<void> {
  const { problems, problemCount } = plan;
  if (problemCount === 0) return;
  const source = name === '-' ? 'stdin' : name;
  const lines = problems.map(({ line, problem }) =>
    line === undefined ? `${source}: ${problem}` : `${source}:${line}: ${problem}`,
  );
  if (problemCount > MAX_PROBLEMS) lines.push(`… and ${count(problemCount - MAX_PROBLEMS)} more`);
  await stderr.write(lines.map((text) => `${neutralise(text)}\n`).join(''));
  throw usage(
    'input-invalid',
    `${count(problemCount)} ${plural(problemCount, 'problem was', 'problems were')} found in ${source}.`,
    `Nothing was sent. Correct ${plural(problemCount, 'it', 'them')}, then run the command again.`,
  );
}
