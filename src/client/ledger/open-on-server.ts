/** Opens the ledger that a team shares on a server, and the server with its password. */
import { X509Certificate } from 'node:crypto';
import { plural } from '../../base/text.ts';
import { usage } from '../../failure.ts';
import { note } from '../../host/note.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { KeptOutcomes, OutcomeOutbox } from '../../journal/outcome-outbox.ts';
import { LedgerMarks } from '../../journal/postgres/ledger-marks.ts';
import { openPostgresLedger } from '../../journal/postgres/postgres-ledger.ts';
import type { Onlooker } from '../../journal/postgres/restored.ts';
import { marksPath, outcomesPath } from '../../store/paths.ts';
import { labelOfAddress, refuseVariables } from '../../store/postgres/address.ts';
import { Patience } from '../../store/postgres/patience.ts';
import { Server, type ServerParts } from '../../store/postgres/server.ts';
import { sayLate } from './late-outcome.ts';
import { ledgerPassword } from './password.ts';
import { authorOf, type LedgerHost, type LedgerOptions, type ServerPlace } from './place.ts';

const MAX_CERTIFICATES_BYTES = 1024 * 1024;
/** How long to wait for a server that restarts, or for its replacement. */
const MAX_AWAY_MS = 60_000;

/**
 * @param password replaces the stored password, to try one
 * @returns the server; its first statement connects
 * @throws Failure usage if the file of sslrootcert cannot be used, or a variable contradicts the address
 */
export function openServer(
  host: LedgerHost,
  place: ServerPlace,
  password: ServerParts['password'] = () => ledgerPassword(host, place),
  parts: Partial<Pick<ServerParts, 'patience' | 'statementMs'>> = {},
): Server {
  const { address } = place;
  const { sslrootcert: file } = address.said;
  refuseVariables(host.env, address, host.user.name);
  return new Server({
    address,
    userName: host.user.name,
    password,
    rootCertificates: file === undefined ? undefined : certificatesIn(host, file),
    sleep: (ms) => host.clock.sleep(ms),
    ...parts,
  });
}

/**
 * @returns the text of a file with certificates, in PEM
 * @throws Failure usage if there is none. Node would pass over it, and trust others.
 */
function certificatesIn({ files }: LedgerHost, path: string): string {
  try {
    const text = files.read(path, MAX_CERTIFICATES_BYTES) ?? '';
    new X509Certificate(text);
    return text;
  } catch (cause) {
    const message = `The file ${path} (sslrootcert) does not exist, or has no certificate in PEM.`;
    const next = 'Correct its name in the address of the ledger.';
    throw usage('ledger-authority-unusable', message, next, { cause });
  }
}

/** @returns the ledger of a server; starts connecting, and the first question waits for the connection */
export function openServerLedger(
  host: LedgerHost,
  place: ServerPlace,
  { endOfTurn, patience, own }: LedgerOptions,
): Ledger {
  const server = openServer(host, place, undefined, {
    patience: patience && patient(host, patience),
  });
  server.begin();
  return openPostgresLedger(server, {
    ...onlookerOf(host, server),
    clock: host.clock,
    endOfTurn,
    own,
    outbox: new OutcomeOutbox(
      new KeptOutcomes(host.files, outcomesPath(host.files)),
      labelOfAddress(place.address),
    ),
    async onDelivered({ late, lost }) {
      for (const outcome of late) await sayLate(host.stderr, outcome);
      if (lost.length > 0) await sayLost(host, lost);
    },
  });
}

/** @param lost ids of entries */
async function sayLost({ files, stderr }: LedgerHost, lost: readonly string[]): Promise<void> {
  const { length: n, 0: first } = lost;
  const outcomes = plural(n, 'outcome is', 'outcomes are');
  const entries = plural(n, 'entry for it', 'entries for them');
  await note(
    stderr,
    `Note: ${n} ${outcomes} still kept in ${outcomesPath(files)}: the ledger has no ${entries}. \`gw journal resolve ${first}\` shows ${plural(n, 'it', 'the first, and `gw journal resolve --lost` all')}.`,
  );
}

/** @returns who looks at a ledger without opening it */
export function onlookerOf(
  host: Pick<LedgerHost, 'env' | 'files' | 'user'>,
  server: Server,
): Onlooker {
  return {
    server,
    author: authorOf(host),
    marks: new LedgerMarks(host.files, marksPath(host.files)),
  };
}

function patient({ clock, stderr }: LedgerHost, interrupted: AbortSignal): Patience {
  const say = (text: string) => void note(stderr, text);
  return new Patience({
    clock,
    maxMs: MAX_AWAY_MS,
    interrupted,
    onAway: ({ message }) => say(`${message} Waiting up to a minute for it.`),
    onBack: () => say('The ledger is back.'),
  });
}
