import { PlugboardError } from '../error/plugboard-error.js';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/u;
const UTF_8 = /^charset="?utf-?8"?$/u;

/**
 * Does a Content-Type declare JSON that we can read? One that is missing does not: web pages can send bodies of no type,
 * and of a few simple types, to any address without asking first.
 */
export const declaresJson = (contentType: string | null | undefined): boolean => {
  // As nearly everybody writes it.
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return JSON_TYPE.test(type.trim()) && (charset === undefined || UTF_8.test(charset));
};

/** Why a body is not read: its Content-Type does not declare JSON. Undefined when it does. */
export const mediaTypeError = (contentType: string | undefined): PlugboardError | undefined => {
  if (declaresJson(contentType)) return undefined;
  const found =
    contentType === undefined ? 'has no Content-Type' : `is declared as ${JSON.stringify(contentType.slice(0, 80))}`;
  return new PlugboardError('UNSUPPORTED_MEDIA_TYPE', `The body ${found}; it must be JSON in UTF-8.`, {
    hint: 'Send Content-Type: application/json.',
  });
};
