import { isJsonObject } from '@plugboard/base';

const typeWord = (schema: unknown): string => {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join(' or ') : 'any type';
};

/** The parameters of a tool in one line: `city (string), days (integer, optional)`. */
export const describeParameters = (schema: unknown): string => {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = isJsonObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const words = Object.entries(properties).map(
    ([name, property]) => `${name} (${typeWord(property)}${required.includes(name) ? '' : ', optional'})`,
  );
  return words.length === 0 ? 'none' : words.join(', ');
};
