/** One challenge of a WWW-Authenticate header. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const PARAMETER = new RegExp(String.raw`^[\s,]*(${TOKEN})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(${TOKEN}))`, 'u');
const SCHEME = new RegExp(String.raw`^[\s,]*(${TOKEN})(?=\s|,|$)`, 'u');
const TOKEN68 = /^\s+[A-Za-z0-9._~+/-]+=*(?=\s*(?:,|$))/u;

/** The challenges of a header, in their order; what is malformed ends the reading. */
export const parseChallenges = (header: string): readonly Challenge[] => {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  let rest = header;
  while (rest.trim() !== '') {
    const parameter = PARAMETER.exec(rest);
    const current = challenges.at(-1);
    if (parameter !== null && current !== undefined) {
      const [whole, name = '', quoted, plain] = parameter;
      current.parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain ?? '');
      rest = rest.slice(whole.length);
      continue;
    }
    const scheme = SCHEME.exec(rest);
    if (scheme === null) break;
    challenges.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: new Map() });
    rest = rest.slice(scheme[0].length);
    if (!PARAMETER.test(rest)) rest = rest.replace(TOKEN68, '');
  }
  return challenges.map(({ scheme, parameters }) => ({ scheme, parameters: Object.fromEntries(parameters) }));
};

/** The challenge to send a bearer token, if the header has one. */
export const bearerChallenge = (header: string | undefined): Challenge | undefined =>
  parseChallenges(header ?? '').find(({ scheme }) => scheme === 'bearer');
