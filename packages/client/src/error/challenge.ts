/** One challenge of a WWW-Authenticate field. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** Names in lower case; the first of two equal names counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** What a server says with `Bearer` when it refuses a request. */
export interface BearerChallenge {
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
  readonly errorDescription?: string;
}

const MAX_LENGTH = 16_384;
const SEPARATORS = /[\s,]*/y;
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"?/y;
const BARE = /[^\s,"]*/y;
// A whole credential in place of parameters, as Negotiate and Basic have it.
const TOKEN68 = /[ \t]+[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y;

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at = pattern.lastIndex;
    return match;
  }

  skip(): void {
    this.#at += 1;
  }
}

const readValue = (scanner: Scanner): string => {
  const quoted = scanner.take(QUOTED);
  return quoted === undefined ? (scanner.take(BARE)?.[0] ?? '') : (quoted[1] ?? '').replaceAll(/\\([\s\S])/gu, '$1');
};

/** The challenges of a field, also when several fields were joined or the syntax is a little off. */
export const parseChallenges = (field: string): readonly Challenge[] => {
  const scanner = new Scanner(field.slice(0, MAX_LENGTH));
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  while (!scanner.done) {
    scanner.take(SEPARATORS);
    const word = scanner.take(TOKEN)?.[0];
    if (word === undefined) {
      scanner.skip();
      continue;
    }
    const current = challenges.at(-1);
    if (current !== undefined && scanner.take(EQUALS) !== undefined) {
      const name = word.toLowerCase();
      const value = readValue(scanner);
      if (!current.parameters.has(name)) current.parameters.set(name, value);
      continue;
    }
    challenges.push({ scheme: word.toLowerCase(), parameters: new Map() });
    scanner.take(TOKEN68);
  }
  return challenges;
};

/** What the Bearer challenge says; undefined when there is none. */
export const bearerChallenge = (field: string | undefined): BearerChallenge | undefined => {
  const challenge = parseChallenges(field ?? '').find(({ scheme }) => scheme === 'bearer');
  if (challenge === undefined) return undefined;
  const { parameters } = challenge;
  const member = <Name extends string>(name: Name, from: string): Partial<Record<Name, string>> => {
    const value = parameters.get(from);
    return value === undefined || value === '' ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
  };
  return {
    ...member('resourceMetadata', 'resource_metadata'),
    ...member('scope', 'scope'),
    ...member('error', 'error'),
    ...member('errorDescription', 'error_description'),
  };
};
