import { Failure } from '../../src/failure.ts';

/** @returns the failure that `act` ends in; anything else is thrown on */
export async function failureOf(act: () => unknown): Promise<Failure> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
