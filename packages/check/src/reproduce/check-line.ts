import type { CheckEra } from '@plugboard/contract';
import type { CheckTarget } from '../target/target.js';
import { quote, variableFor } from './shell.js';

export interface CheckAgain {
  /** Undefined for what only a whole run shows. */
  readonly id: string | undefined;
  readonly era: CheckEra | 'both';
  readonly seed: number;
  /** How the operator named the target: a file, or a registered server. */
  readonly from: string | undefined;
}

const allowed = ({ tools }: CheckTarget): readonly string[] =>
  Object.entries(tools)
    .filter(([, { safe }]) => safe)
    .flatMap(([name, { arguments: given }]) => {
      const args = Array.isArray(given) ? given[0] : given;
      return ['--allow', quote(args === undefined ? name : `${name}=${JSON.stringify(args)}`)];
    });

/** The values are secrets, perhaps: the shell is to know them. */
const address = (target: CheckTarget): readonly string[] => {
  if (target.command !== undefined) {
    const variables = Object.keys(target.env).flatMap((name) => ['--env', `${name}="$${name}"`]);
    return [...variables, '--', ...target.command.map(quote)];
  }
  const headers = Object.keys(target.headers).flatMap((name) => ['--header', `"${name}: $${variableFor(name)}"`]);
  return [...headers, ...(target.transport === 'sse' ? ['--sse'] : []), quote(target.url ?? '')];
};

/** The command that runs one check again, or all of them, for what a single request cannot show. */
export const checkLine = (target: CheckTarget, { id, era, seed, from }: CheckAgain): string =>
  [
    id === undefined ? 'plugboard check' : `plugboard check --only ${id}`,
    ...(era === 'both' ? [] : ['--era', era]),
    ...(target.tier === 'standard' ? [] : ['--tier', target.tier]),
    `--seed ${seed}`,
    ...(from === undefined ? [...allowed(target), ...address(target)] : [quote(from)]),
  ].join(' ');
