/** The card of `gw whoami`. */
import type { JsonObject } from '../../base/json.ts';
import { moneyText } from '../../contract/money.ts';
import type { CardContent, CardLine } from '../columns.ts';
import { textOf } from '../values.ts';
import { cardLines, joined } from './words.ts';

/** @param record in the form of WHOAMI_VIEW */
export function whoamiCard(record: JsonObject): CardContent {
  return {
    head: textOf(record.profile) ?? '',
    rows: [
      environmentRow(record.environment),
      ...cardLines('username', record.username),
      ...cardLines('gateway', textOf(record.base_url) ?? ownGateway(record)),
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
  const limits = [
    isReadOnly === true && 'read-only',
    typeof most === 'number' && `at most ${moneyText(most, textOf(record.currency))} at once`,
    Array.isArray(allowed) && `only ${allowed.map(textOf).join(', ')}`,
  ];
  return joined(limits) || 'none';
}

/** Words, capitals and colour say whether the money is real. */
function environmentRow(environment: JsonObject[string] | undefined): CardLine {
  const text = textOf(environment) ?? '';
  const isLive = text === 'live';
  return {
    label: 'environment',
    text: isLive ? 'LIVE: real cards, real money' : text,
    ...(isLive ? { role: 'live' as const } : {}),
  };
}

function ownGateway({ environment }: JsonObject): string | undefined {
  return environment === 'local' ? 'the built-in test gateway' : undefined;
}
