import type { CheckEra } from '@plugboard/contract';
import type { JsonObject } from '../connection/json.js';
import type { Probe } from '../probe/probe.js';
import type { ListedTool } from '../calls/tool.js';
import type { Answer } from '../session/answer.js';
import { covers, type Difference } from './difference.js';

/** Two ways to the same server, each in one era. */
export interface Pair {
  readonly one: Probe;
  readonly other: Probe;
  /** What the other side puts before names of tools and prompts. */
  readonly prefix: string;
  /** Differences that are meant, besides those that always are. */
  readonly permit: readonly string[];
}

export const acrossEras = ({ one, other }: Pair): boolean => one.era !== other.era;

export const eraOfPair = (pair: Pair): CheckEra | 'both' => (acrossEras(pair) ? 'both' : pair.one.era);

/** What is left when the permitted differences are taken away. */
export const notMeant = ({ permit }: Pair, differences: readonly Difference[]): readonly Difference[] =>
  differences.filter(({ path }) => !permit.some((pattern) => covers(pattern, path)));

/** The other side's name of what one side calls so. */
export const nameThere = ({ prefix }: Pair, name: string): string => prefix + name;

export const nameHere = ({ prefix }: Pair, name: string): string =>
  prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name;

/** The same call on both sides, one after the other. */
export const callBoth = async (
  pair: Pair,
  tool: ListedTool,
  args: JsonObject,
): Promise<readonly [Answer, Answer] | undefined> => {
  const there = (await pair.other.callable()).find(({ name }) => name === nameThere(pair, tool.name));
  if (there === undefined) return undefined;
  return [
    await pair.one.call(pair.one.session(), tool, args),
    await pair.other.call(pair.other.session(), there, args),
  ];
};
