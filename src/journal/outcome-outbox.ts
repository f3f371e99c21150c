/**
 * Keeps outcomes that became known while the ledger was out of reach. Once a request was sent, its outcome must not be
 * lost with the connection. Each outcome is a file of its own:
 *
 * - `Files.writePrivate` writes it whole and durably, or not at all.
 * - gw removes it after writing it to the ledger. If gw is killed in between, the outcome is written again. The same
 *   happens if two processes deliver at once. Writing it twice changes nothing.
 *
 * Until delivery, everybody else sees the entry as unknown, which is the safe reading. An outcome names its ledger by
 * the ledger's own id, because the address may change.
 */
import { join } from 'node:path';
import { isObject, type Json } from '../base/json.ts';
import { plural } from '../base/text.ts';
import { Failure, orFailure } from '../failure.ts';
import type { Files } from '../host/host.ts';
import type { LateOutcome, LostOutcomes, RecordSnapshot, Settlement } from './ledger.ts';

const ENDING = '.json';
/** The records of an answer are bounded (client/connection/snapshots.ts), and there are few of them. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface KeptOutcome {
  /** Id of the ledger. */
  ledger: string;
  /** Its address, for people who read the file. */
  address: string;
  entry: string;
  settlement: Settlement;
  snapshots: readonly RecordSnapshot[];
  /** The entry may never have been written. In that case the request was not sent. */
  mayBeMissing: boolean;
}

type OutcomeFiles = Pick<Files, 'writePrivate' | 'read' | 'list' | 'remove'>;

export class KeptOutcomes {
  readonly #files: OutcomeFiles;
  readonly #directory: string;

  constructor(files: OutcomeFiles, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  /** @throws Failure usage if the file cannot be written */
  keep(outcome: KeptOutcome): void {
    this.#files.writePrivate(this.#fileOf(outcome.entry), `${JSON.stringify(outcome)}\n`);
  }

  /** @param ledger id of the ledger */
  of(ledger: string): KeptOutcome[] {
    return this.#files
      .list(this.#directory)
      .filter((name) => name.endsWith(ENDING) && !name.startsWith('.'))
      .flatMap((name) => this.#read(name) ?? [])
      .filter((outcome) => outcome.ledger === ledger);
  }

  drop(entry: string): void {
    this.#files.remove(this.#fileOf(entry));
  }

  #fileOf(entry: string): string {
    return join(this.#directory, `${entry}${ENDING}`);
  }

  /** @returns undefined if another process has delivered it meanwhile, or the file is not an outcome */
  #read(name: string): KeptOutcome | undefined {
    try {
      const text = this.#files.read(join(this.#directory, name), MAX_BYTES) ?? '';
      const value = JSON.parse(text) as Json;
      return isOutcome(value) && name === `${value.entry}${ENDING}` ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

function isOutcome(value: Json): value is KeptOutcome & Json {
  if (!isObject(value)) return false;
  const { ledger, entry, settlement, snapshots } = value;
  return (
    typeof ledger === 'string' &&
    typeof entry === 'string' &&
    settlement !== undefined &&
    isObject(settlement) &&
    typeof settlement.state === 'string' &&
    Array.isArray(snapshots)
  );
}

/** Result of writing an outcome. */
export interface WrittenOutcome {
  /** Whether the entry exists. If not, nothing was written. */
  isThere: boolean;
  /** Set if another entry made the record of the answer. Nothing was written. */
  isOfAnother?: true;
  late?: LateOutcome | undefined;
}

/** Result of delivering the kept outcomes. */
export interface Delivered {
  /** Outcomes that arrived after somebody resolved their entries. */
  late: readonly LateOutcome[];
  /** Ids of entries that the ledger does not have. Their outcomes stay in the outbox, without records. */
  lost: readonly string[];
}

/** States in which money may have moved. gw sends nothing again unless a person says so. */
const MAY_HAVE_MOVED = ['done', 'unknown'];

/** Keeps outcomes while one ledger is out of reach, and delivers them when it is back. */
export class OutcomeOutbox implements LostOutcomes {
  readonly #kept: KeptOutcomes;
  readonly #address: string;
  /** Entries that the ledger lacked when gw tried to write their outcomes. */
  readonly #lost = new Set<string>();
  /** Why the last delivery failed. */
  #undelivered: Failure | undefined;
  #ledger: string | undefined;
  #hasKept = false;

  /** @param address address of the ledger, as shown to the user */
  constructor(kept: KeptOutcomes, address: string) {
    this.#kept = kept;
    this.#address = address;
  }

  /** Whether this process has kept an outcome. */
  get hasKept(): boolean {
    return this.#hasKept;
  }

  /** @param ledger id of the ledger, once the connection has told it */
  open(ledger: string): void {
    this.#ledger = ledger;
  }

  /**
   * Writes the kept outcomes to the ledger. If that fails, the rest stays, and `refuseSending` throws the reason.
   * @param write writes one outcome to an entry, whether sending or unknown
   */
  async deliver(write: (outcome: KeptOutcome) => Promise<WrittenOutcome>): Promise<Delivered> {
    this.#undelivered = undefined;
    const late: LateOutcome[] = [];
    const lost: string[] = [];
    for (const outcome of this.find('')) {
      const { entry, mayBeMissing } = outcome;
      const written = await orFailure(write(outcome));
      if (written instanceof Failure) {
        this.#undelivered = written;
        break;
      }
      if (written.late) late.push(written.late);
      if (written.isThere || mayBeMissing) {
        this.drop(entry);
        continue;
      }
      // `gw forget` does not look here, so what stays has no record of a person.
      if (outcome.snapshots.length > 0) this.keep({ ...outcome, snapshots: [] });
      if (!this.#lost.has(entry)) lost.push(entry);
    }
    for (const entry of lost) this.#lost.add(entry);
    return { late, lost };
  }

  /**
   * Refuses requests while kept outcomes are undelivered, so gw sends nothing that may repeat them.
   * @throws Failure guard if delivery failed, or a kept outcome whose entry is lost may have moved money
   */
  refuseSending(): void {
    if (this.#undelivered) throw this.#undelivered;
    // Read again each time: a person may have dropped outcomes meanwhile.
    const lost = this.#lost.size === 0 ? [] : this.find('').filter((one) => this.#holdsUp(one));
    const [first] = lost;
    if (!first) return;
    const n = lost.length;
    const what = plural(n, 'a request', `${n} requests`);
    throw new Failure(
      'ledger-lost-entry',
      `The ledger at ${this.#address} has lost ${what} that this machine sent.`,
      `\`gw journal resolve ${first.entry}\` shows ${plural(n, 'it', 'the first, and `gw journal resolve --lost` all')}. Compare with the gateway, then drop ${plural(n, 'it', 'them')} there.`,
    );
  }

  #holdsUp({ entry, settlement }: KeptOutcome): boolean {
    return this.#lost.has(entry) && MAY_HAVE_MOVED.includes(settlement.state);
  }

  find(id: string): KeptOutcome[] {
    return this.#kept.of(this.#ledger ?? '').filter(({ entry }) => entry.startsWith(id));
  }

  drop(entry: string): void {
    this.#kept.drop(entry);
  }

  /**
   * @param isLost whether the ledger was reached but did not have the entry
   * @returns whether the outcome is stored now
   */
  keep(outcome: Omit<KeptOutcome, 'ledger' | 'address'>, isLost = false): boolean {
    if (this.#ledger === undefined) return false;
    try {
      this.#kept.keep({ ledger: this.#ledger, address: this.#address, ...outcome });
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
    this.#hasKept = true;
    if (isLost) this.#lost.add(outcome.entry);
    return true;
  }
}
