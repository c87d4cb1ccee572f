import { isMasked, maskSecret } from './mask.js';
import { namesSecret } from './secret-name.js';

const USER_INFO = /^(?<scheme>[a-z][a-z0-9+.-]*:\/\/)(?<user>[^/?#@]*)@/iu;
const PARAMETER = /(?<lead>[?&;])(?<name>[^=&;#?]+)=(?<value>[^&;#]*)/gu;
const REFERENCE = /\{\{[^{}]*\}\}|\$\{[^{}]*\}/u;

interface Parameter {
  readonly lead: string;
  readonly name: string;
  readonly value: string;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A reference shows the name of a variable, and never its value. */
const isSecret = ({ name, value }: Parameter): boolean =>
  value !== '' && namesSecret(decoded(name)) && !REFERENCE.test(value);

const mapParameters = (url: string, change: (parameter: Parameter) => string): string =>
  url.replaceAll(PARAMETER, (...match: unknown[]) => {
    const parameter = match.at(-1) as Parameter;
    return `${parameter.lead}${parameter.name}=${change(parameter)}`;
  });

/** A URL as it may be shown: user and password, and parameters whose names say that they are secret, are masked. */
export const maskUrl = (url: string): string =>
  mapParameters(
    url.replace(USER_INFO, (...match: unknown[]) => `${(match.at(-1) as { scheme: string }).scheme}${maskSecret('')}@`),
    (parameter) => (isSecret(parameter) && !isMasked(parameter.value) ? maskSecret(parameter.value) : parameter.value),
  );

/** What `maskUrl` would hide, as it stands in the URL and decoded. */
export const secretsInUrl = (url: string): readonly string[] => {
  const found = USER_INFO.exec(url)?.groups?.['user']?.split(':') ?? [];
  mapParameters(url, (parameter) => {
    if (isSecret(parameter)) found.push(parameter.value);
    return parameter.value;
  });
  return [...new Set(found.flatMap((value) => [value, decoded(value)]))];
};

/** Is there anything in the URL that must not be seen? */
export const hasSecretParameters = (url: string): boolean => maskUrl(url) !== url;

/** The URL with every mask replaced by what stood there in the stored one; undefined when nothing did. */
export const unmaskUrl = (url: string, stored: string): string | undefined => {
  const known = new Map<string, string[]>();
  mapParameters(stored, ({ name, value }) => {
    known.set(name, [...(known.get(name) ?? []), value]);
    return value;
  });
  let lost = false;
  const restored = mapParameters(url, ({ name, value }) => {
    // Of several parameters with one name, each stands for the one in its place.
    const before = known.get(name)?.shift();
    if (!isMasked(decoded(value))) return value;
    lost ||= before === undefined || isMasked(before);
    return before ?? value;
  });
  return lost ? undefined : restored;
};
