/** Whether what gw keeps can be written, has room, and is private to its user. */
import { shellWord } from '../../base/shell-word.ts';
import type { Files } from '../../host/host.ts';
import type { Finding } from '../../view/records/check.ts';
import { failed, ok, warning } from './finding.ts';

const MIB = 1024 * 1024;
/** A journal takes about a kilobyte for each request. */
const MIN_FREE_BYTES = 5 * MIB;
const LITTLE_FREE_BYTES = 100 * MIB;

export function checkStateDirectory(files: Pick<Files, 'stateDirectory' | 'roomIn'>): Finding {
  const directory = files.stateDirectory;
  const { isThere, isWritable, freeBytes } = files.roomIn(directory);
  const name = shellWord(directory);
  if (!isWritable)
    return failed(
      'guard',
      `gw cannot write to ${directory}, and without a journal it sends nothing that moves money.`,
      `Make it yours with \`sudo chown -R "$USER" ${name}\`, or set XDG_STATE_HOME to a directory of yours.`,
    );
  const free = freeBytes === undefined ? '' : `, ${bytesText(freeBytes)} free`;
  if (freeBytes !== undefined && freeBytes < LITTLE_FREE_BYTES) {
    const message = `The disk of ${directory} is ${freeBytes < MIN_FREE_BYTES ? '' : 'nearly '}full: ${bytesText(freeBytes)} free.`;
    const next = `See what fills it with \`df -h\`, or remove what is old: \`gw prune --before 90d\`.`;
    return freeBytes < MIN_FREE_BYTES ? failed('guard', message, next) : warning(message, next);
  }
  return ok(`${directory}${isThere ? '' : ', created when there is something to keep'}${free}`);
}

export function checkPrivacy(files: Pick<Files, 'findExposed'>): Finding {
  const { open, foreign } = files.findExposed();
  if (foreign.length > 0)
    return failed(
      'guard',
      `Somebody else owns ${some(foreign)}, and gw relies on it to decide what to send.`,
      `Make it yours with \`sudo chown -R "$USER" ${shellWord(foreign[0] ?? '')}\`.`,
    );
  if (open.length > 0)
    return warning(
      `Other users can read or change ${some(open)}.`,
      'Run `gw doctor --repair` to make it private.',
    );
  return ok('nobody else can read or change what gw keeps');
}

const SHOWN = 3;

function some(files: readonly string[]): string {
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '';
  return files.slice(0, SHOWN).join(', ') + more;
}

/** @returns for example `1.4 GiB` */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let amount = bytes;
  let unit = 0;
  for (; amount >= 1024 && unit < units.length - 1; unit++) amount /= 1024;
  return `${amount >= 100 || unit === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}
