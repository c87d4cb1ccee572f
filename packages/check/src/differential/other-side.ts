import type { CheckEra } from '@plugboard/contract';
import { authenticated } from '../auth/authenticated.js';
import { findFacts } from '../discovery/find-facts.js';
import { Memories } from '../probe/memory.js';
import type { RunState } from '../probe/run-state.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';
import type { CheckTarget } from '../target/target.js';

type Differential = NonNullable<CheckTarget['differential']>;

const isElsewhere = ({ url, command }: Differential): boolean => url !== undefined || command !== undefined;

/** What may be called here may be called there, under the name that it has there. */
const renamed = (tools: CheckTarget['tools'], prefix: string): CheckTarget['tools'] =>
  Object.fromEntries(Object.entries(tools).map(([name, entry]) => [name === '*' ? name : prefix + name, entry]));

/** The other side as a target of its own. */
export const otherTarget = (target: CheckTarget, differential: Differential): CheckTarget => {
  const { era, prefix = '', permit: _permit, ...address } = differential;
  const { url: _url, command: _command, cwd: _cwd, transport: _transport, auth: _auth, ...rest } = target;
  const place = isElsewhere(differential) ? { ...rest, ...address } : target;
  return { ...place, tools: renamed(target.tools, prefix), era };
};

/** A state like that of the run itself, for the other side; both write into one transcript. */
export const openOtherSide = async (
  run: RunState,
  differential: Differential,
  options: PlaceOptions,
): Promise<RunState> => {
  const { signal, transcript } = run.link;
  const given = otherTarget(run.target, differential);
  const target = await authenticated(given, { ...options, ms: given.budgets.requestMs, signal });
  const link = await openLink(target, { ...options, transcript }, signal);
  const facts = await findFacts(link, target.era);
  return { ...run, link, target, facts, memories: new Memories(), pool: undefined };
};

/** The eras in which both are compared; crossed when they have none in common or one was asked for. */
export const erasToCompare = (
  here: readonly CheckEra[],
  there: readonly CheckEra[],
): readonly (readonly [CheckEra, CheckEra])[] => {
  const common = here.filter((era) => there.includes(era));
  if (common.length > 0) return common.map((era) => [era, era]);
  const [one, other] = [here.at(-1), there.at(-1)];
  return one === undefined || other === undefined ? [] : [[one, other]];
};
