/** Parses JSON that a person wrote: a file of profiles, credentials. */
import { type Json, jsonIn, repeatsField } from '../../base/json.ts';

/**
 * Loads base/json-text.ts only to describe a fault.
 * @param whatItIs names the text in messages
 * @throws Failure usage if the text is not JSON, or repeats a field
 */
export async function checkedJson(text: string, whatItIs: string): Promise<Json> {
  const value = jsonIn(text);
  if (value !== undefined && !repeatsField(text, value)) return value;
  const { parseJson } = await import('../../base/json-text.ts');
  return parseJson(text, whatItIs);
}
