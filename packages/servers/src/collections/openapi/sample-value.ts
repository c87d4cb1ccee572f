import type { FollowReference } from './follow-reference.js';
import { listOf, recordOf } from './openapi-shapes.js';

const MAX_DEPTH = 6;

const STRING_SAMPLES: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'user@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'http://example.com',
};

/** A value that a schema would take: its own example where it has one, else the smallest of its type. */
export const sampleValue = (schema: unknown, follow: FollowReference, depth = 0): unknown => {
  const given = follow(recordOf(schema));
  if (given['example'] !== undefined) return given['example'];
  if (given['default'] !== undefined) return given['default'];
  if (given['const'] !== undefined) return given['const'];
  const [first] = [...listOf(given['examples']), ...listOf(given['enum'])];
  if (first !== undefined) return first;
  if (depth >= MAX_DEPTH) return null;
  const [choice] = [...listOf(given['oneOf']), ...listOf(given['anyOf'])];
  if (choice !== undefined) return sampleValue(choice, follow, depth + 1);
  const parts = listOf(given['allOf']);
  if (parts.length > 0) {
    return Object.assign({}, ...parts.map((part) => sampleValue(part, follow, depth + 1) as object)) as object;
  }
  return ofType(given, follow, depth);
};

const ofType = (schema: Readonly<Record<string, unknown>>, follow: FollowReference, depth: number): unknown => {
  const { type } = schema;
  const [name] = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  switch (name) {
    case 'string':
      return STRING_SAMPLES[String(schema['format'])] ?? 'text'.padEnd(Number(schema['minLength'] ?? 0), 'x');
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'array':
      return Number(schema['minItems'] ?? 0) > 0 ? [sampleValue(schema['items'], follow, depth + 1)] : [];
    default:
      return name === 'object' || schema['properties'] !== undefined ? objectOf(schema, follow, depth) : null;
  }
};

const objectOf = (schema: Readonly<Record<string, unknown>>, follow: FollowReference, depth: number): object => {
  const required = new Set(listOf(schema['required']));
  const properties = Object.entries(recordOf(schema['properties'])).filter(
    ([name, property]) => required.has(name) && recordOf(property)['readOnly'] !== true,
  );
  return Object.fromEntries(properties.map(([name, property]) => [name, sampleValue(property, follow, depth + 1)]));
};
