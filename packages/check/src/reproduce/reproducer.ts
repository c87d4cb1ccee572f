import type { Exchange, HttpRecipe, Recipe } from '../session/exchange.js';
import type { Place } from '../session/link.js';
import { quote, variableFor } from './shell.js';

const SESSION = 'mcp-session-id';
/** Long enough for a slow program to answer before its input ends. */
const LINGER_SECONDS = 3;

type Secrets = ReadonlySet<string>;
type StdioRecipe = Extract<Recipe, { kind: 'stdio' }>;
type ProgramPlace = Extract<Place, { transport: 'stdio' }>;

const secretsOf = (place: Place): Secrets =>
  new Set(place.transport === 'stdio' ? [] : Object.keys(place.headers).map((name) => name.toLowerCase()));

const headerFlag = (name: string, value: string, secrets: Secrets): string =>
  secrets.has(name.toLowerCase()) ? `-H "${name}: $${variableFor(name)}"` : `-H ${quote(`${name}: ${value}`)}`;

const curl = (
  { method, url, headers, body }: Omit<HttpRecipe, 'kind' | 'opening'>,
  secrets: Secrets,
  extra = '',
): string =>
  [
    `curl -sS -i -m 10 -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => headerFlag(name, value, secrets)),
    ...(extra === '' ? [] : [extra]),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' ');

/** No shell takes an argument of this length. */
const LONG = 60_000;
const PLAIN_UNIT = /^[A-Za-z0-9 ]$/u;

interface Repetition {
  readonly from: number;
  readonly to: number;
}

/** The longest stretch of one and the same character. */
const longestRepetition = (text: string): Repetition => {
  let longest: Repetition = { from: 0, to: 0 };
  let from = 0;
  for (let to = 1; to <= text.length; to += 1) {
    if (text.charCodeAt(to) === text.charCodeAt(from)) continue;
    if (to - from > longest.to - longest.from) longest = { from, to };
    from = to;
  }
  return longest;
};

/** A long text as commands that print it: what repeats itself is generated. */
const printed = (text: string): string | undefined => {
  const { from, to } = longestRepetition(text);
  const [before, unit, after] = [text.slice(0, from), text[from] ?? '', text.slice(to)];
  if (!PLAIN_UNIT.test(unit) || before.length > LONG || after.length > LONG) return undefined;
  return `{ printf %s ${quote(before)}; head -c ${to - from} /dev/zero | tr '\\0' ${quote(unit)}; printf %s ${quote(after)}; }`;
};

/** One request, whatever its length; undefined when no line of shell can hold it. */
const curlOf = (recipe: Omit<HttpRecipe, 'kind' | 'opening'>, secrets: Secrets, extra = ''): string | undefined => {
  if (recipe.body === undefined || recipe.body.length <= LONG) return curl(recipe, secrets, extra);
  const body = printed(recipe.body);
  if (body === undefined) return undefined;
  const piped = `${extra} --data-binary @-`.trim();
  return `${body} | ${curl({ ...recipe, body: undefined }, secrets, piped)}`;
};

const overHttp = (recipe: HttpRecipe, secrets: Secrets): string | undefined => {
  const { opening, headers } = recipe;
  const session = Object.keys(headers).find((name) => name.toLowerCase() === SESSION);
  if (opening === undefined || session === undefined) return curlOf(recipe, secrets);
  const bare = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== session));
  const first = Object.fromEntries(
    Object.entries(bare).filter(([name]) => !/^(?:mcp-|last-event-id)/iu.test(name) || secrets.has(name.toLowerCase())),
  );
  const start = curl(
    {
      method: 'POST',
      url: recipe.url,
      headers: { ...first, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: opening,
    },
    secrets,
  );
  const id = `S=$(${start} | sed -n 's/^${SESSION}: *//Ip' | tr -d '\\r')`;
  const then = curlOf({ ...recipe, headers: bare }, secrets, `-H "${SESSION}: $S"`);
  return then === undefined ? undefined : `${id}; ${then}`;
};

/** All of them, or nothing. */
const joined = (lines: readonly (string | undefined)[]): string | undefined =>
  lines.includes(undefined) ? undefined : lines.join('; ');

/** Commands that write these lines; undefined when one is too long for a shell and does not repeat itself. */
const written = (lines: readonly string[]): string | undefined => {
  if (lines.every(({ length }) => length <= LONG)) return `printf '%s\\n' ${lines.map(quote).join(' ')}`;
  const commands = lines.map((line) => {
    if (line.length <= LONG) return `printf '%s\\n' ${quote(line)}`;
    const long = printed(line);
    return long === undefined ? undefined : `${long}; echo`;
  });
  return joined(commands);
};

/** The program as it was started: in its folder, and with its variables, whose values may be secrets. */
const programOf = ({ program: { command, args, cwd }, variables = [] }: ProgramPlace): string => {
  const words = [...variables.map((name) => `${name}="$${name}"`), ...[command, ...args].map(quote)].join(' ');
  return cwd === undefined ? words : `(cd ${quote(cwd)} && ${words})`;
};

const overStdio = ({ lines, ends = false }: StdioRecipe, place: Place): string | undefined => {
  const input = written(lines);
  if (place.transport !== 'stdio' || input === undefined) return undefined;
  const line = `{ ${input}; sleep ${LINGER_SECONDS}; } | ${programOf(place)}`;
  return ends ? `${line}; echo "exit code $?"` : line;
};

const overSse = (lines: readonly string[], place: Place, secrets: Secrets): string | undefined => {
  if (place.transport === 'stdio' || lines.some(({ length }) => length > LONG)) return undefined;
  const flags = Object.entries(place.headers).map(([name, value]) => ` ${headerFlag(name, value, secrets)}`);
  const { origin } = new URL(place.url);
  const post = `curl -sS -X POST "$E" -H 'content-type: application/json'${flags.join('')} --data-raw "$m" >&2; sleep 0.3`;
  return `curl -sN -m 5${flags.join('')} ${quote(place.url)} | { read -r e; read -r d; E=$(printf %s "\${d#data: }" | tr -d '\\r' | sed 's|^/|${origin}/|'); for m in ${lines.map(quote).join(' ')}; do ${post}; done; cat; }`;
};

/** One line for a shell that sends the same again; undefined when no line can. */
export const reproducer = ({ recipe }: Exchange, place: Place): string | undefined => {
  if (recipe === undefined) return undefined;
  const secrets = secretsOf(place);
  switch (recipe.kind) {
    case 'http':
      return overHttp(recipe, secrets);
    case 'several':
      return joined(recipe.requests.map((request) => overHttp(request, secrets)));
    case 'stdio':
      return overStdio(recipe, place);
    case 'sse':
      return overSse(recipe.lines, place, secrets);
    default:
      return recipe satisfies never;
  }
};
