import type { CollectionModel, EnvironmentModel } from '../model/collection-model.js';
import { substitute, unresolvedIn, valuesOf } from '../model/variable-scopes.js';

const BASE = /^(?:(?<scheme>[a-z][a-z\d+.-]*):\/\/)?(?<rest>[^/?#]*)/iu;

/**
 * The origins that the files of the directory name. A caller's variables and scripts are left out on purpose: they
 * decide what is asked for, not which programs of this machine can be reached.
 */
export const ownOrigins = (
  { variables, requests }: CollectionModel,
  environment: EnvironmentModel | undefined,
): ReadonlySet<string> => {
  const values = { ...valuesOf(variables), ...valuesOf(environment?.variables ?? []) };
  const origins = requests.flatMap(({ url, defaults }) => originOf(substitute(url, { ...defaults, ...values })));
  return new Set(origins);
};

const originOf = (address: string): readonly string[] => {
  const { scheme = 'http', rest = '' } = BASE.exec(address.trim())?.groups ?? {};
  const base = `${scheme}://${rest}`;
  return rest === '' || unresolvedIn([base]).length > 0 || !URL.canParse(base) ? [] : [new URL(base).origin];
};
