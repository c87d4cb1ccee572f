import { isJsonObject, tryJson } from '@plugboard/base';

const ENDINGS = ['"}', '}', '"]}', ']}', '"}}', '}}', '"}]}', '}]}'];

/**
 * The arguments that a model wrote. Some providers cut the text of a call at their limit of tokens: it is completed if
 * closing what is open makes it JSON. Undefined: it is no object.
 */
export const readArguments = (text: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (isJsonObject(text)) return text;
  if (text === undefined || text === null) return {};
  if (typeof text !== 'string') return undefined;
  if (text.trim() === '') return {};
  for (const ending of ['', ...ENDINGS]) {
    const value = tryJson(text + ending);
    if (isJsonObject(value)) return value;
  }
  return undefined;
};
