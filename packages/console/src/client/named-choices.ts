import { isJson, textIn, type Json } from '../api/json.js';

const MAX_DEPTH = 20;

const TYPES: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  null: 'Nothing',
  array: 'List',
  object: 'Object',
};

/** The member with a fixed value by which shapes are told apart, such as `kind: card`. */
const fixedMember = (choice: Json): string | undefined => {
  const { properties } = choice;
  if (!isJson(properties)) return undefined;
  const [found] = Object.entries(properties).flatMap(([name, part]) =>
    isJson(part) && part['const'] !== undefined
      ? [`${name}: ${textIn(part['const']) || (JSON.stringify(part['const']) ?? '')}`]
      : [],
  );
  return found;
};

const nameOf = (choice: Json): string | undefined => {
  const { type } = choice;
  if (choice['const'] !== undefined) return JSON.stringify(choice['const']);
  return fixedMember(choice) ?? (typeof type === 'string' ? TYPES[type] : undefined);
};

const namedChoices = (choices: readonly unknown[]): readonly unknown[] => {
  const names = choices.map((choice) => (isJson(choice) && choice['title'] === undefined ? nameOf(choice) : undefined));
  return choices.map((choice, at) => {
    const name = names[at];
    const isTwin = names.filter((other) => other === name).length > 1;
    return isJson(choice) && name !== undefined && !isTwin ? { ...choice, title: name } : choice;
  });
};

/** A schema whose alternatives have names that a person can choose from, where its author gave none. */
export const withNamedChoices = (schema: unknown, depth = 0): unknown => {
  if (depth > MAX_DEPTH) return schema;
  if (Array.isArray(schema)) return schema.map((part) => withNamedChoices(part, depth + 1));
  if (!isJson(schema)) return schema;
  const named = Object.entries(schema).map(([name, part]): [string, unknown] => {
    // Examples and fixed values are data, not schemas.
    if (['default', 'const', 'enum', 'examples'].includes(name)) return [name, part];
    const inner = withNamedChoices(part, depth + 1);
    const areChoices = (name === 'anyOf' || name === 'oneOf') && Array.isArray(inner);
    return [name, areChoices ? namedChoices(inner) : inner];
  });
  return Object.fromEntries(named);
};
