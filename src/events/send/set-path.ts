/** `--set path=value`: changes one field of a delivery's body. */
import type { Json } from '../../base/json.ts';
import { usage } from '../../failure.ts';

/**
 * @param path names joined by dots; a number is a place in a list, from 0
 * @returns a copy of the body with the value at the path, and any missing objects on the way to it
 * @throws Failure usage if the path leads through a text, or through a list by a name
 */
export function withValueAt(body: Json, path: string, value: Json): Json {
  return set(body, path.split('.'), value, path);
}

function set(at: Json | undefined, names: readonly string[], value: Json, path: string): Json {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  if (name === '' || name === '__proto__') {
    throw usage(
      'path-invalid',
      `--set ${path} contains a name that is not a valid field name.`,
      'Join names with dots: payload.0.subscription.reference=SUB-1.',
    );
  }
  if (Array.isArray(at)) {
    const place = /^\d{1,9}$/.test(name) ? Number(name) : Number.NaN;
    if (!(place <= at.length)) {
      throw usage(
        'path-invalid',
        `--set ${path}: ${name} is not a position in a list of ${at.length}.`,
        'Positions start at 0: payload.0.subscription.reference=SUB-1.',
      );
    }
    const items = [...at];
    items[place] = set(at[place], rest, value, path);
    return items;
  }
  if (at !== undefined && at !== null && typeof at !== 'object') {
    throw usage(
      'path-invalid',
      `--set ${path}: the value before ${name} is not an object, so it has no fields.`,
      'Look at the body first with `gw events get ID`.',
    );
  }
  const fields = at ?? {};
  return { ...fields, [name]: set(fields[name], rest, value, path) };
}
