/** `gw doctor`: mends what it is told to, looks at everything, prints what it finds and fails as the first of it. */
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { formatOf, type PrintFlags, printRecords } from '../../view/print-records.ts';
import { CHECK_VIEW, type Checked, checkRecord, renderChecks } from '../../view/records/check.ts';
import { examine } from './examine.ts';
import { repair } from './repair.ts';

interface DoctorFlags extends PrintFlags {
  profile?: string | undefined;
  offline?: boolean | undefined;
  repair?: boolean | undefined;
}

/** @throws Failure when a check failed, after all of them are printed */
export async function runDoctor(context: Context, flags: DoctorFlags): Promise<void> {
  if (flags.repair) await repair(context.host, flags);
  const extent = { profile: flags.profile, isOffline: flags.offline ?? false };
  const found = await examine(context, extent);
  await print(context, flags, found);
  const failures = found.flatMap((one) => (one.state === 'failed' ? [one] : []));
  const [first] = failures;
  if (!first) return;
  const count = failures.length;
  throw new Failure(first.kind, `${count} of ${found.length} checks failed.`, {
    code: 'checks-failed',
    next: `Start with the ${first.check.replaceAll('-', ' ')}${first.profile === null ? '' : ` of ${first.profile}`}. ${first.next}`,
  });
}

async function print(
  { host }: Context,
  flags: PrintFlags,
  found: readonly Checked[],
): Promise<void> {
  const format = formatOf(flags) ?? (host.stdout.isTerminal ? 'table' : undefined);
  if (format === 'table' && flags.fields === undefined) {
    await host.stdout.write(await renderChecks(found, host.stdout));
    return;
  }
  await printRecords(host, flags, found.map(checkRecord), { kind: CHECK_VIEW, isSingle: false });
}
