import { isJsonObject } from '@plugboard/wire';

const MAX_MEMBERS = 50;
const MAX_NAME = 128;

/** What a value is, without the value. */
export const kindOf = (value: unknown): string => {
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

/** Which arguments were given and of what kind, without any value, as JSON. */
export const redactArguments = (args: unknown, quoted: (name: string) => string = JSON.stringify): string => {
  if (!isJsonObject(args)) return '{}';
  let members = '';
  let count = 0;
  for (const name in args) {
    if (count === MAX_MEMBERS) break;
    members += `${count === 0 ? '' : ','}${quoted(name.slice(0, MAX_NAME))}:"${kindOf(args[name])}"`;
    count += 1;
  }
  return `{${members}}`;
};
