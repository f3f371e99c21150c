/**
 * Reads card details from flags (sandbox scripts only), a JSON file, stdin or a named test card, or asks for them with
 * the number and the CVV hidden. On a live profile the command line may not carry the number and the CVV, because every
 * process can read it and the shell stores it.
 *
 * Tests: test/unit/requests/body/build-body.test.ts, test/scripts/bad-input/cards.script
 */
import type { Environment } from '../../base/account.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { TEST_CARDS, type TestCardName } from '../../contract/cards/test-cards.ts';
import {
  type Expiry,
  formatExpiry,
  isExpired,
  isoMonth,
  parseExpiry,
} from '../../contract/expiry.ts';
import type { CardPlace } from '../../contract/request.ts';
import { invariant, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { readJsonObject } from './read-input.ts';

/** @throws Failure usage if argv has card details that a live profile does not accept there */
export function refuseCardOnArgv(
  flags: FlagValues,
  environment: Environment,
  place: CardPlace,
): void {
  if (environment !== 'live') return;
  for (const flag of ['card-number', 'cvv']) {
    if (flags[flag] === undefined) continue;
    throw usage(
      'card-on-command-line',
      `--${flag} is not for a live profile. Other processes can see the command line, and the shell keeps it in its history.`,
      place.isExpected
        ? 'Leave it out, and gw asks for it. Or use --card-file FILE (- for stdin).'
        : 'Use --card-file FILE (- for stdin).',
    );
  }
}

/** The parts of the host by which a card is read from files, and a test card gets its expiry. */
export type CardHost = Pick<Host, 'clock' | 'files' | 'readNamed' | 'stdin'>;

/** @returns the fields of `--card-file` or `--test-card`, under the place's names; empty if neither is given */
export async function readCard(
  host: CardHost,
  profile: Profile,
  flags: FlagValues,
  place: CardPlace,
): Promise<JsonObject> {
  if (typeof flags['test-card'] === 'string') {
    const name = flags['test-card'];
    refuseTestCard(name, profile.environment);
    return readTestCard(name, place, await gatewayTime(host, profile));
  }
  if (typeof flags['card-file'] !== 'string') return {};
  const card = await readJsonObject(host, flags['card-file'], '--card-file');
  const { card_expiry, expiry_date, ...rest } = card;
  const expiry = card_expiry ?? expiry_date;
  return expiry === undefined ? rest : { ...rest, [place.expiry]: expiry };
}

/** @throws Failure usage unless the profile's gateway may know the card */
function refuseTestCard(name: string, environment: Environment): asserts name is TestCardName {
  if (environment === 'live') {
    throw usage(
      'test-card-on-live-profile',
      '--test-card is not for a live profile.',
      'Choose a sandbox profile, or --profile local.',
    );
  }
  if (!isTestCard(name)) {
    throw usage(
      'test-card-unknown',
      `${JSON.stringify(name)} is not a test card.`,
      `${didYouMean(name)}Use one of: ${Object.keys(TEST_CARDS).join(', ')}. \`gw emulator cards\` says what each does.`,
    );
  }
}

/** The test card of a reason, or the last two digits of an amount by which `by-amount` is declined for it. */
const REASONS: readonly (readonly [words: RegExp, by: TestCardName | `${number}`])[] = [
  [/fund|nsf/i, 'insufficient-funds'],
  [/expir/i, 'expired-card'],
  [/number|invalid|incorrect/i, '14'],
  [/retry|again|later/i, '90'],
  [/stolen/i, '43'],
  [/lost/i, '41'],
  [/fraud|suspect/i, '59'],
  [/issuer|bank|call/i, '01'],
  [/pick.?up|retain|captur/i, '04'],
];

function didYouMean(name: string): string {
  const [, by = nearest(name, Object.keys(TEST_CARDS))] =
    REASONS.find(([words]) => words.test(name)) ?? [];
  if (by === undefined) return '';
  return isTestCard(by)
    ? `Did you mean ${by}? `
    : `A reason goes by the amount: \`--test-card by-amount\` with one that ends in ${by}, such as --decimal-amount 45.${by}. `;
}

/** @param name of a test card @returns its details, under the place's names */
export function readTestCard(name: string, place: CardPlace, now: Date): JsonObject {
  invariant(isTestCard(name), `${name} is a test card`);
  return {
    card_number: TEST_CARDS[name].card_number,
    card_holder: 'Test Card',
    [place.expiry]: formatExpiry({ year: now.getUTCFullYear() + 3, month: 12 }),
    cvv: '123',
  };
}

function isTestCard(name: string): name is TestCardName {
  return Object.hasOwn(TEST_CARDS, name);
}

/** @throws Failure usage if the card's last month has passed */
export async function refuseExpiredCard(
  host: Pick<Host, 'clock' | 'files'>,
  profile: Profile,
  value: Json | undefined,
): Promise<void> {
  const expiry = typeof value === 'string' ? parseExpiry(value) : undefined;
  if (expiry && isPast(expiry, await gatewayTime(host, profile))) {
    throw usage(
      'card-expired',
      `The card expired in ${formatExpiry(expiry)}.`,
      'Check the expiry, or use another card.',
    );
  }
}

/** @returns whether a card's last month is over everywhere on earth */
export function isPast(expiry: Expiry, now: Date): boolean {
  return isExpired(isoMonth(expiry), lastDayOnEarth(now));
}

/** The earliest date that is still today somewhere (UTC-12). A card is refused only after it has expired everywhere. */
function lastDayOnEarth(now: Date): string {
  return new Date(now.getTime() - 12 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
