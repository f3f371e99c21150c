/**
 * The stored cards of customers whom lines of a batch name. The gateway is asked in every run, a dry run too, because a
 * customer may have another card by now.
 *
 * Tests: test/scripts/commands/batch-customers.script
 */
import { quotedText } from '../../base/shell.ts';
import { textOrNull } from '../../base/text.ts';
import { meetsAll } from '../../client/guards/plans.ts';
import { lookUpUnasked, type TargetLookUp } from '../../client/guards/refund-target.ts';
import { customerGet } from '../../contract/resources/customer.ts';
import { Failure } from '../../failure.ts';
import { isCalled, type NamedOtherwise } from '../known/named-record.ts';

const EXACT: readonly NamedOtherwise['by'][] = ['id', 'reference', 'email'];

/** The token of a customer's card, or why there is none. */
export type CustomerCard = { token: string } | { problem: string };

/**
 * @param names ids, references or emails of customers
 * @param known the customers whom these names mean here, as `namedOtherwise` gives them
 * @throws Failure if the gateway cannot be asked: nothing was sent
 */
export async function customerCards(
  asking: TargetLookUp,
  names: readonly string[],
  known: ReadonlyMap<string, NamedOtherwise>,
): Promise<ReadonlyMap<string, CustomerCard>> {
  const { default: pMap } = await import('p-map');
  const { inFlight = 1 } = asking.run.parts;
  const cardOf = async (name: string): Promise<[string, CustomerCard]> => {
    const { ids: [id = name, ...others] = [], by = 'id' } = known.get(name) ?? {};
    const what = `customer ${quotedText(name)}`;
    // Another person may have the same name, and money goes by this.
    if (others.length > 0 || !EXACT.includes(by))
      return [name, { problem: `${what} may be ${[id, ...others].join(' or ')}: write the id` }];
    const answer = await lookUpUnasked(asking, customerGet, { id });
    if (answer instanceof Failure) {
      if (answer.status === undefined || meetsAll(answer)) throw answer;
      return [name, { problem: `${what} is not known at the gateway: ${answer.message}` }];
    }
    const [record = {}] = answer.records;
    const token = textOrNull(record.card_token);
    if (!isCalled(record, id)) return [name, { problem: `${what} is not known at the gateway` }];
    return [name, token === null ? { problem: `${what} has no stored card` } : { token }];
  };
  return new Map(await pMap(names, cardOf, { concurrency: inFlight }));
}
