/** Plans (section 2.5). `reference` and `amount` are fixed once a plan is in use. */
import * as z from 'zod/mini';
import { amount, text } from './field-schemas.ts';
import { lazily } from './lazily.ts';

export const planRequest = lazily(() =>
  z.looseObject({
    name: text('Name of the plan.'),
    reference: text('Your own reference, by which the plan is looked up. Must be unique.'),
    description: text('What the plan is for.'),
    amount: amount().check(z.describe('Amount of each charge, in minor currency units.')),
  }),
);

export const planUpdate = lazily(() =>
  z.looseObject({
    name: z.optional(text('New name of the plan.')),
    description: z.optional(text('New description of the plan.')),
  }),
);

/** Paging of endpoint 7 is not shown in the interface; deployments take these two. */
export const planListQuery = lazily(() =>
  z.object({
    limit: z.optional(z.int().check(z.positive(), z.describe('Plans per page.'))),
    offset: z.optional(z.int().check(z.positive(), z.describe('Page number, from 1.'))),
  }),
);
