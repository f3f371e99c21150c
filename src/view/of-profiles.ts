/** Rows of several profiles: each names its profile, and a live one stands out. */
import type { JsonObject } from '../base/json.ts';
import type { Column, RecordView } from './columns.ts';
import { namedProfile } from './text/environment.ts';
import { textOf } from './values.ts';

/** Environments in small letters; events name them with a capital. */
const ENVIRONMENTS = new Set(['live', 'sandbox', 'local']);

const profileColumn: Column = { header: 'profile', text: profileText };

/** @returns the view with a column for the profile: in place of an existing one, or last */
export function ofProfiles<View extends RecordView>(view: View): View {
  const isProfile = ({ header }: Column) => header === profileColumn.header;
  const columns = view.columns.some(isProfile)
    ? view.columns.map((one) => (isProfile(one) ? profileColumn : one))
    : [...view.columns, profileColumn];
  const more = ['profile', 'environment'];
  return view.fields.length === 0
    ? { ...view, columns, mayHave: [...(view.mayHave ?? []), ...more] }
    : { ...view, columns, fields: [...new Set([...view.fields, ...more])] };
}

function profileText({ profile, environment, mode }: JsonObject): string | undefined {
  const name = textOf(profile);
  const said = (textOf(environment) ?? textOf(mode))?.toLowerCase();
  // Events of the test gateway say Sandbox too, so the name decides.
  if (name === undefined || name === 'local' || !isEnvironment(said)) return name;
  return namedProfile({ name, environment: said });
}

function isEnvironment(text: string | undefined): text is 'live' | 'sandbox' | 'local' {
  return text !== undefined && ENVIRONMENTS.has(text);
}
