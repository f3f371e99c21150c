/**
 * Outcomes on their way to a ledger that could not be reached when they became known: after a request
 * was sent, what became of it must not be lost with the connection. Each is a file of its own, so that
 *
 * - it is written whole, durably, or not at all (`Files.writePrivate`);
 * - it goes away once it is written to the ledger: whoever is killed in between has it written again,
 *   and so has a second process that delivers at the same time. Settling twice is settling once.
 *
 * Until then the entry is unknown to everybody else, which is what they have to think. An outcome is of
 * the ledger that its entry is in, by that ledger's own id: the address may be another one by then.
 */
import { join } from 'node:path';
import { isObject, type Json } from '../base/json.ts';
import { plural } from '../base/text.ts';
import { Failure, orFailure } from '../failure.ts';
import type { Files } from '../host/host.ts';
import type { LateOutcome, LostOutcomes, RecordSnapshot, Settlement } from './ledger.ts';

const ENDING = '.json';
/** Records of an answer are bounded (limits.ts); there are few of them. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface KeptOutcome {
  /** Id of the ledger. */
  ledger: string;
  /** Its address, for whoever reads the file. */
  address: string;
  entry: string;
  settlement: Settlement;
  snapshots: readonly RecordSnapshot[];
  /** It is not known whether the entry was written: the request was not sent then. */
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

  /** @throws Failure usage when it cannot be written */
  keep(outcome: KeptOutcome): void {
    this.#files.writePrivate(this.#fileOf(outcome.entry), `${JSON.stringify(outcome)}\n`);
  }

  /** @param ledger its id */
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

  /** @returns undefined where another process has delivered it meanwhile, or it is none */
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

/** What became of an outcome that was to be written. */
export interface WrittenOutcome {
  /** Whether its entry is there; of one that is not, nothing is written. */
  isThere: boolean;
  late?: LateOutcome | undefined;
}

/** What became of outcomes that were kept. */
export interface Delivered {
  /** Those that came after somebody had resolved their entries. */
  late: readonly LateOutcome[];
  /** Ids of entries that the ledger does not have; their outcomes stay here. */
  lost: readonly string[];
}

/** States in which money may have moved: nothing is sent again unless a person says so. */
const MAY_HAVE_MOVED = ['done', 'unknown'];

/** Keeps the outcomes that one ledger cannot be told, and tells it when it can. */
export class OutcomeOutbox implements LostOutcomes {
  readonly #kept: KeptOutcomes;
  readonly #address: string;
  /** Entries that the ledger did not have when their outcomes were to be written. */
  readonly #lost = new Set<string>();
  /** Why what was kept could not be written. */
  #undelivered: Failure | undefined;
  #ledger: string | undefined;
  #hasKept = false;

  /** @param address of the ledger, as it is shown */
  constructor(kept: KeptOutcomes, address: string) {
    this.#kept = kept;
    this.#address = address;
  }

  /** Whether this process has kept an outcome. */
  get hasKept(): boolean {
    return this.#hasKept;
  }

  /** @param ledger its id, once it is known which ledger it is */
  open(ledger: string): void {
    this.#ledger = ledger;
  }

  /**
   * Writes what is kept to the ledger. Where that fails, the rest stays, and `refuseSending` says why.
   * @param write writes one, whether its entry is sending or unknown; one that is written already changes nothing
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
      if (written.isThere || mayBeMissing) this.drop(entry);
      else if (!this.#lost.has(entry)) lost.push(entry);
    }
    for (const entry of lost) this.#lost.add(entry);
    return { late, lost };
  }

  /**
   * What is kept here counts as known: nothing is sent that may repeat it.
   * @throws Failure guard while an outcome is kept that may have moved money
   */
  refuseSending(): void {
    if (this.#undelivered) throw this.#undelivered;
    // Asked again each time: a person may have dropped them meanwhile.
    const lost = this.#lost.size === 0 ? [] : this.find('').filter((one) => this.#holdsUp(one));
    const [first] = lost;
    if (!first) return;
    const n = lost.length;
    const what = plural(n, 'a request', `${n} requests`);
    throw new Failure(
      'guard',
      `The ledger at ${this.#address} has lost ${what} that this machine sent.`,
      {
        code: 'ledger-lost-entry',
        next: `\`gw journal resolve ${first.entry}\` shows ${plural(n, 'it', 'the first')}. Compare it with the gateway, then drop it there.`,
      },
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
   * @param isLost whether the ledger was there, and did not have the entry
   * @returns whether it is kept now
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
