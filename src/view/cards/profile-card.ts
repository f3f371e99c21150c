/** The card of `gw whoami`. */
import type { JsonObject } from '../../base/json.ts';
import { KEEP_DAYS } from '../../client/profiles/profile.ts';
import { moneyText } from '../../contract/money.ts';
import type { CardContent } from '../columns.ts';
import { textOf } from '../values.ts';
import { cardLines, joined } from './words.ts';

/** @param record in the form of WHOAMI_VIEW */
export function whoamiCard(record: JsonObject): CardContent {
  const { environment } = record;
  const isOwn = environment === 'local';
  return {
    head: textOf(record.profile) ?? '',
    rows: [
      // Words, capitals and colour say whether the money is real.
      environment === 'live'
        ? { label: 'environment', text: 'LIVE: real cards, real money', role: 'live' }
        : { label: 'environment', text: textOf(environment) ?? '' },
      ...cardLines('username', record.username),
      ...cardLines('gateway', isOwn ? 'the built-in test gateway' : record.base_url),
      ...cardLines('account', record.account),
      ...cardLines('merchant', record.merchant),
      ...cardLines('currency', record.currency),
      ...cardLines('limits', limitsOf(record)),
      ...cardLines('credential command', record.credential_command),
      ...(record.remember === false
        ? cardLines('remembers', 'nothing that it looks up or receives')
        : []),
      ...cardLines('ledger', record.ledger),
      ...cardLines('ledger command', record.ledger_command),
      ...cardLines('operator', record.operator),
      ...cardLines('machine', record.machine),
    ],
    shown: Object.keys(record),
  };
}

function limitsOf(record: JsonObject): string {
  const { allowed_commands: allowed, max_amount: most, read_only: isReadOnly } = record;
  const { keep_days: kept = KEEP_DAYS } = record;
  const limits = [
    isReadOnly === true && 'read-only',
    typeof most === 'number' && `at most ${moneyText(most, textOf(record.currency))} at once`,
    Array.isArray(allowed) && `only ${allowed.map(textOf).join(', ')}`,
    kept !== KEEP_DAYS && `keeps requests for ${textOf(kept)} days`,
  ];
  return joined(limits) || 'none';
}
