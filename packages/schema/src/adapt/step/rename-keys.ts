import { isJsonObject } from '@plugboard/base';
import { propertiesOf, requiredOf } from '../../profile/definition/schema-view.js';
import type { ValueMapping } from '../mapping/mapping.js';
import type { Step } from './step.js';

const MAX_KEY = 60;

const legalForm = (key: string, pattern: RegExp): string => {
  const plain = key.replaceAll(/[^A-Za-z0-9_]+/gu, '_').slice(0, MAX_KEY);
  return pattern.test(plain) ? plain : `p_${plain}`.slice(0, MAX_KEY);
};

/** Legal keys for the illegal ones, different from each other and from those that stay. */
const newKeys = (keys: readonly string[], pattern: RegExp): readonly (readonly [string, string])[] => {
  const taken = new Set(keys.filter((key) => pattern.test(key)));
  return keys
    .filter((key) => !pattern.test(key))
    .map((key) => {
      const base = legalForm(key, pattern);
      let name = base;
      for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`;
      taken.add(name);
      return [key, name] as const;
    });
};

/** Property keys that the provider refuses get others. */
export const renameKeys: Step = {
  id: 'rename-key',
  order: 'up',
  serves: ['property-keys'],
  rewrite: (node, place, { report, rule }) => {
    const limit = rule('property-keys');
    if (limit === undefined) return undefined;
    const properties = propertiesOf(node);
    const keys = newKeys(Object.keys(properties), new RegExp(limit.pattern, 'u'));
    if (keys.length === 0) return undefined;
    const renamed = new Map(keys);
    for (const [original, adapted] of keys) {
      report(place, `The property "${original.slice(0, 80)}" was renamed to "${adapted}".`, 'same');
    }
    const rename = (key: string): string => renamed.get(key) ?? key;
    return {
      schema: {
        ...node,
        properties: Object.fromEntries(Object.entries(properties).map(([key, schema]) => [rename(key), schema])),
        ...(Object.hasOwn(node, 'required') ? { required: requiredOf(node).map(rename) } : {}),
      },
      mapping: { op: 'rename', keys },
    };
  },
};

const renameMembers = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [names.get(key) ?? key, member]))
    : value;

export const renameMapping: ValueMapping<'rename'> = {
  forward: ({ keys }, value) => renameMembers(value, new Map(keys)),
  restore: ({ keys }, value) => renameMembers(value, new Map(keys.map(([original, adapted]) => [adapted, original]))),
};
