import { isObject, type JsonObject } from '../connection/json.js';
import type { Probe } from '../probe/probe.js';
import { differencesBetween } from './difference.js';
import { compared, IDENTICAL, type DifferentialCheck } from './differential-check.js';
import { acrossEras, nameHere, notMeant, type Pair } from './pair.js';
import { definitionEssence } from './permitted.js';

const FEATURES = ['tools', 'resources', 'prompts', 'completions'] as const;

const featuresOf = (probe: Probe): JsonObject =>
  Object.fromEntries(FEATURES.map((feature) => [feature, isObject(probe.session().capabilities[feature])]));

export const sameFeatures: DifferentialCheck = {
  id: 'DIF-01',
  title: 'both connections offer the same: tools, resources, prompts, completions',
  level: 'SHOULD',
  source: IDENTICAL,
  remedy: 'Declare capabilities in one place, independently of the transport.',
  compare: async (pair) =>
    compared(notMeant(pair, differencesBetween('capabilities', featuresOf(pair.one), featuresOf(pair.other)))),
};

interface ListCheck {
  readonly id: string;
  readonly what: string;
  /** What an element is known by. */
  readonly key: string;
  readonly feature: (typeof FEATURES)[number];
  readonly read: (probe: Probe) => Promise<readonly JsonObject[]>;
  /** Whether the other side may put something before the names. */
  readonly named: boolean;
}

const byKey = (elements: readonly JsonObject[], pair: Pair, key: string, rename: boolean): JsonObject =>
  Object.fromEntries(
    elements.map((element) => {
      const name = rename ? nameHere(pair, String(element[key])) : String(element[key]);
      return [name, definitionEssence({ ...element, [key]: name }, acrossEras(pair))];
    }),
  );

const sameList = ({ id, what, key, feature, read, named }: ListCheck): DifferentialCheck => ({
  id,
  title: `both connections list the same ${what}, in every member`,
  level: 'MUST',
  source: IDENTICAL,
  remedy: `Build the list of ${what} in one place, independently of the transport.`,
  compare: async (pair) => {
    const offered = [pair.one, pair.other].filter((probe) => isObject(probe.session().capabilities[feature]));
    if (offered.length === 0) return { kind: 'not-applicable', detail: `Neither connection offers ${feature}.` };
    const one = byKey(await read(pair.one), pair, key, false);
    const other = byKey(await read(pair.other), pair, key, named);
    return compared(notMeant(pair, differencesBetween(what.replaceAll(' ', '-'), one, other)));
  },
});

export const sameLists: readonly DifferentialCheck[] = [
  sameFeatures,
  sameList({
    id: 'DIF-02',
    what: 'tools',
    key: 'name',
    feature: 'tools',
    named: true,
    read: async (probe) => (await probe.tools()).map(({ definition }) => definition),
  }),
  sameList({
    id: 'DIF-03',
    what: 'resources',
    key: 'uri',
    feature: 'resources',
    named: false,
    read: (probe) => probe.resources(),
  }),
  sameList({
    id: 'DIF-04',
    what: 'resource templates',
    key: 'uriTemplate',
    feature: 'resources',
    named: false,
    read: (probe) => probe.resourceTemplates(),
  }),
  sameList({
    id: 'DIF-05',
    what: 'prompts',
    key: 'name',
    feature: 'prompts',
    named: true,
    read: (probe) => probe.prompts(),
  }),
];
