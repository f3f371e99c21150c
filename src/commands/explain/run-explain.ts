/**
 * Runs `gw explain`: what a text means by itself comes first, then the payment that it names here.
 *
 * Tests: test/scripts/commands/explain.script
 */
import { mayAsk } from '../../cli/flags/command-options.ts';
import { type ProfileChoice, profileScope, scopeOf } from '../../cli/flags/whose.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { EXPLANATION_VIEW, type Explanation } from '../../desk/explain/explanation.ts';
import { explainPayment } from '../../desk/explain/payment-explanation.ts';
import { explainText } from '../../desk/explain/text-explanation.ts';
import { ownersOfName, unknownName } from '../../desk/history/owners-of-name.ts';
import { pickNamed, pickNear } from '../../desk/query/near-record.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { resolveName, TO_TELL } from '../../requests/known/resolve-name.ts';
import type { Owner } from '../../things/owner.ts';
import { type OutputOptions, printRecords } from '../../view/print-records.ts';

/** @throws Failure notFound if the text means nothing that gw knows; usage if it names several things */
export async function runExplain(
  { host }: Context,
  text: string,
  { output, ...choice }: ProfileChoice & { output: OutputOptions },
): Promise<void> {
  const said = explainText(text.trim());
  const explained = said ? [said] : await explainNamed(host, text.trim(), { ...choice, output });
  const records = explained.map(EXPLANATION_VIEW.record);
  await printRecords(host, output, records, { kind: EXPLANATION_VIEW, isSingle: !records[1] });
}

/** @returns an explanation for each account that has the name */
async function explainNamed(
  host: Context['host'],
  text: string,
  { output: tells, ...choice }: ProfileChoice & { output: OutputOptions },
): Promise<Explanation[]> {
  const us = await profileScope(host, choice);
  const memory = new LazyLedger(host, us);
  try {
    const [ledger, known] = [await memory.open(), await memory.known()];
    if (!ledger || !known) throw unknown(text);
    const scope = await scopeOf(host, us, ledger);
    const desk = { host, us, ledger, scope, mayAsk: mayAsk(host, {}), words: ['explain'], tells };
    const explainCalled = async (name: string) => {
      const explained: Explanation[] = [];
      for (const owner of await ownersOfName(ledger, name, { scope, isOfAll: choice.isOfAll })) {
        const named = await resolveName(known, name, owner, TO_TELL);
        const matches = await pickNamed(desk, name, named, TO_TELL);
        if (matches.length === 0) continue;
        const today = await todayOf(host, owner);
        explained.push(await explainPayment(known, { name, matches, owner, today }));
      }
      return explained;
    };
    const exact = await explainCalled(text);
    const mayBeNear = exact.length === 0 && !LIKE_A_CODE.test(text);
    const near = mayBeNear && (await pickNear(desk, text));
    const explained = near ? await explainCalled(near.id) : exact;
    if (explained.length === 0) throw unknown(text);
    return explained;
  } finally {
    await memory.close();
  }
}

const LIKE_A_CODE = /^\w?\d\w?$/;

function unknown(text: string) {
  if (!LIKE_A_CODE.test(text)) return unknownName(text);
  const message = `gw does not know the response code ${text}, and nothing here is called so.`;
  return unknownName(text).with({ message, next: 'Ask whoever runs the gateway what it means.' });
}

async function todayOf(host: Pick<Host, 'clock' | 'files'>, { profile }: Owner) {
  const isLocal = profile === LOCAL_PROFILE.name;
  const now = isLocal ? await gatewayTime(host, LOCAL_PROFILE) : host.clock.now();
  return now.toISOString().slice(0, 10);
}
