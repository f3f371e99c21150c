/** Random numbers determined by a seed, so that a fresh gateway creates the same ids everywhere. */
import { sha256 } from '../host/digest.ts';

const word = (number: bigint) => BigInt.asUintN(64, number);

/**
 * The next random number, by SplitMix64.
 * @param state the state after the number before it. States and numbers are from 0 to 2⁶⁴ - 1
 */
export function drawn(state: bigint): { state: bigint; random: bigint } {
  const next = word(state + 0x9e3779b97f4a7c15n);
  const mixed = word((next ^ (next >> 30n)) * 0xbf58476d1ce4e5b9n);
  const random = word((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return { state: next, random: random ^ (random >> 31n) };
}

/** @returns the first state for a text */
export function stateOf(text: string): bigint {
  return BigInt(`0x${sha256(text).slice(0, 16)}`);
}
