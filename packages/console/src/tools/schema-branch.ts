import { isJson } from '../api/json.js';

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** One argument, or one part of one. */
export interface Branch {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** Defaults, choices, limits. */
  readonly notes: readonly string[];
  readonly schema: unknown;
}

const MAX_CHOICES = 20;
const MAX_BRANCHES = 200;

const json = (value: unknown): string => JSON.stringify(value) ?? '';

const typeOf = (schema: unknown): string => {
  if (!isJson(schema)) return schema === false ? 'nothing' : 'anything';
  const { type, items } = schema;
  if (type === 'array') return `array of ${typeOf(items)}`;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.map(String).join(' or ');
  if (schema['enum'] !== undefined) return 'one of';
  if (schema['const'] !== undefined) return 'constant';
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? '';
  const unions = listIn(schema['anyOf'] ?? schema['oneOf']);
  return unions.length === 0 ? 'anything' : unions.map(typeOf).join(' or ');
};

const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'format'] as const;

const notesOf = (schema: unknown): readonly string[] => {
  if (!isJson(schema)) return [];
  const choices = listIn(schema['enum']);
  const more = choices.length > MAX_CHOICES ? ', …' : '';
  return [
    ...(choices.length === 0 ? [] : [`${choices.slice(0, MAX_CHOICES).map(json).join(', ')}${more}`]),
    ...(schema['const'] === undefined ? [] : [json(schema['const'])]),
    ...(schema['default'] === undefined ? [] : [`default ${json(schema['default'])}`]),
    ...LIMITS.flatMap((limit) => (schema[limit] === undefined ? [] : [`${limit} ${json(schema[limit])}`])),
  ];
};

const branch = (name: string, schema: unknown, required: boolean): Branch => ({
  name,
  schema,
  required,
  type: typeOf(schema),
  description: isJson(schema) && typeof schema['description'] === 'string' ? schema['description'] : '',
  notes: notesOf(schema),
});

/** An alternative has the name that its author gave it. */
const choiceName = (schema: unknown, at: number): string =>
  isJson(schema) && typeof schema['title'] === 'string' ? schema['title'] : `choice ${at + 1}`;

/** The parts that a schema is made of. */
export const branchesOf = (schema: unknown): readonly Branch[] => {
  if (!isJson(schema)) return [];
  const required = new Set(listIn(schema['required']));
  const members = isJson(schema['properties']) ? Object.entries(schema['properties']) : [];
  if (members.length > 0) {
    return members.slice(0, MAX_BRANCHES).map(([name, part]) => branch(name, part, required.has(name)));
  }
  if (schema['type'] === 'array') return branchesOf(schema['items']);
  const unions = listIn(schema['anyOf'] ?? schema['oneOf']).filter((part) => branchesOf(part).length > 0);
  return unions.slice(0, MAX_BRANCHES).map((part, at) => branch(choiceName(part, at), part, false));
};
