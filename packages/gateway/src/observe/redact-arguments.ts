import { isJsonObject } from '@plugboard/wire';

const MAX_MEMBERS = 50;

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return `text of ${value.length} characters`;
    case 'object':
      return `object of ${Object.keys(value).length}`;
    default:
      return typeof value;
  }
};

/** Which arguments were given and of what kind, without any value. */
export const redactArguments = (args: unknown): Readonly<Record<string, string>> =>
  isJsonObject(args)
    ? Object.fromEntries(
        Object.entries(args)
          .slice(0, MAX_MEMBERS)
          .map(([name, value]) => [name.slice(0, 128), kindOf(value)]),
      )
    : {};
