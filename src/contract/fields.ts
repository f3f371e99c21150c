/** The building blocks of request and response schemas that several resources share. */
import * as z from 'zod/mini';
import { currencyExponent } from './currency.ts';
import { lazily } from './lazily.ts';

/** A request text that may not be empty or only white space (section 7: "<Field> can't be blank"). */
export const text = (meaning: string) =>
  z.string().check(
    z.refine((value) => value.trim() !== '', "can't be blank"),
    z.describe(meaning),
  );

/** A request date, `YYYY-MM-DD`, that exists in the calendar. */
export const date = (meaning: string) => z.iso.date().check(z.describe(meaning));

/** A request flag. */
export const flag = (meaning: string) => z.boolean().check(z.describe(meaning));

/** An amount in the minor currency unit (section 2.1): a positive integer. */
export const amount = lazily(() => z.int().check(z.positive()));

/** An ISO 4217 currency code. */
export const currency = lazily(() =>
  z
    .string()
    .check(
      z.refine((code) => currencyExponent(code) !== undefined, 'is not an ISO 4217 currency code'),
    ),
);

/*
 * Response fields. Deployments leave fields out or send null where the text shows a value, so each
 * is optional and nullable; and a response object keeps fields that the interface does not name.
 */
export const textOut = lazily(() => z.nullish(z.string()));
export const integerOut = lazily(() => z.nullish(z.int()));
export const numberOut = lazily(() => z.nullish(z.number()));
export const flagOut = lazily(() => z.nullish(z.boolean()));
export const record = z.looseObject;
