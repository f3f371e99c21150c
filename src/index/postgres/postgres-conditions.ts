/** For callers that still number the values of a statement: goes when they are written for both stores. */
import type { SqlValue } from '../../store/postgres/server.ts';
import type { FactScope, ScopeValues } from '../scope.ts';

/** The values of a statement, in the order of their `$1`. */
export class Values {
  readonly all: SqlValue[] = [];

  /** @returns what stands for the value in the statement */
  add(value: SqlValue): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/** @returns what stands for a scope in the statement */
export function scopeIn(values: Values, scope: FactScope): ScopeValues {
  const { profile, environment, account, host = null } = scope;
  const text = (value: string | null) => `${values.add(value)}::text`;
  return {
    profile: text(profile),
    environment: text(environment),
    account: text(account),
    host: text(host),
  };
}
