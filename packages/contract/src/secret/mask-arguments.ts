import { isMasked, maskSecret } from './mask.js';
import { hasSecretParameters, maskUrl, secretsInUrl } from './mask-url.js';
import { namesSecret } from './secret-name.js';

const REFERENCE = /\{\{[^{}]*\}\}|\$\{[^{}]*\}/u;
const ASSIGNED = /^(?<flag>--?[^=\s]+|[A-Za-z_][A-Za-z0-9_]*)=(?<value>.+)$/su;

const isSecretFlag = (word: string | undefined): boolean =>
  word !== undefined && /^--?[a-z]/iu.test(word) && !word.includes('=') && namesSecret(word);

const mask = (value: string): string => (REFERENCE.test(value) || isMasked(value) ? value : maskSecret(value));

const isUrl = (word: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//iu.test(word);

const maskWord = (word: string, before: string | undefined): string => {
  const { flag, value } = ASSIGNED.exec(word)?.groups ?? {};
  if (flag !== undefined && value !== undefined && namesSecret(flag)) return `${flag}=${mask(value)}`;
  if (isSecretFlag(before) && !word.startsWith('-')) return mask(word);
  return isUrl(word) ? maskUrl(word) : word;
};

/** Arguments as they may be shown: the value of `--token x`, `--api-key=x`, `PASSWORD=x` and secrets in URLs are masked. */
export const maskArguments = (args: readonly string[]): string[] =>
  args.map((word, index) => maskWord(word, args[index - 1]));

/** What `maskArguments` would hide. */
export const secretsInArguments = (args: readonly string[]): readonly string[] => {
  const shown = maskArguments(args);
  return args.flatMap((word, index) => {
    if (shown[index] === word) return [];
    const { flag, value } = ASSIGNED.exec(word)?.groups ?? {};
    if (flag !== undefined && value !== undefined && namesSecret(flag)) return [value];
    return isUrl(word) ? secretsInUrl(word) : [word];
  });
};

const holdsMask = (word: string): boolean => isMasked(word.slice(word.indexOf('=') + 1)) || isMaskedUrl(word);

const isMaskedUrl = (word: string): boolean => /[=/]••••/u.test(word) && !hasSecretParameters(word);

/** The arguments with every mask replaced by what it stands for; undefined when a mask stands for nothing. */
export const unmaskArguments = (args: readonly string[], stored: readonly string[]): string[] | undefined => {
  const shown = maskArguments(stored);
  const restored = args.map((word, index) => {
    if (!holdsMask(word)) return word;
    const at = shown[index] === word ? index : shown.indexOf(word);
    return stored[at];
  });
  return restored.every((word) => word !== undefined) ? restored : undefined;
};
