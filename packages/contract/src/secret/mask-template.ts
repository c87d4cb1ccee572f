import { maskSecret } from './mask.js';
import { namesSecret } from './secret-name.js';
import { hasReference, TEMPLATE_REFERENCE } from '../field/template-reference.js';

const SAYS_NOTHING = /^(?:(?:Bearer|Basic|Token|ApiKey)\s+|[^\p{Letter}\p{Number}]*)$/iu;

const maskLiteral = (text: string): string => (SAYS_NOTHING.test(text) ? text : maskSecret(''));

interface Reference {
  readonly name?: string;
  readonly fallback?: string;
}

const isSecretName = (name: string): boolean => namesSecret(name) || namesSecret(name.split('_').at(-1) ?? '');

/** The default of a variable whose name says that it is secret is one, too. */
const maskFallback = (whole: string, { name, fallback }: Reference): string =>
  name === undefined || fallback === undefined || fallback.trim() === '' || !isSecretName(name)
    ? whole
    : `{{ ${name} | ${maskSecret('')} }}`;

/**
 * A value of a header or of the environment as it may be shown. A template names variables and is shown as it is;
 * literal text is masked, also beside a variable.
 */
export const maskTemplate = (text: string): string => {
  if (!hasReference(text)) return maskSecret(text);
  let shown = '';
  let at = 0;
  for (const match of text.matchAll(TEMPLATE_REFERENCE)) {
    shown += maskLiteral(text.slice(at, match.index)) + maskFallback(match[0], match.groups ?? {});
    at = match.index + match[0].length;
  }
  return shown + maskLiteral(text.slice(at));
};
