import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** A command of ours, and a route of ours, as a hint names them. */
const COMMAND = /(?<![@/\w-])plugboard (?:[a-z]{3,}|<)/u;
const ROUTE = /\b(?:GET|POST|PUT|PATCH|DELETE) \/|(?<![\w.])\/v1\//u;

/** Where only somebody at a terminal reads what is said. */
const TERMINAL = /^plugboard\/src\/(?:cli|hub-api|mcp-json|settings|stdio-proxy|terminal)\//u;
/** Programs of their own, with readers of their own. */
const OTHERS = /^(?:check|testing|servers|wire)\//u;

/** Places that name a command or a route and are no hint. Each says why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'console/src/tools/snippets.ts': 'the same call as a command',
  'contract/src/server/server-config.ts': 'describes how a server is spoken to',
  'plugboard/src/apply-config/declared-servers.ts': 'a line of the log, which the operator of the hub reads',
  'plugboard/src/http-server/listen.ts': 'said to the person who started the hub in a terminal',
  'plugboard/src/upstream/config/server-deadlines.ts': 'puts both forms together',
  'plugboard/src/serve/welcome.ts': 'said to the person who started the hub in a terminal',
  'plugboard/src/cli/server-flags/add-and-set-options.ts': 'describes how a server is spoken to',
  'plugboard/src/referee/run-store.ts': 'said by the command that reads a report',
  'registry/src/key/api-keys.ts': 'a notice that names both',
  'registry/src/http/openapi/error-answers.ts': 'examples in the description of the API',
  'registry/src/http/openapi/document.ts': 'the description of the API',
  'registry/src/secret/envelope-secret-box.ts': 'a label in the derivation of a key',
  'schema/src/compare/lock-file.ts': 'said by the commands that read the file',
  'schema/src/report/sarif.ts': 'the name of a program in a report',
};

interface Phrase {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly surface: 'api' | 'cli' | 'both';
}

const sources = (): readonly string[] =>
  readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^[\w-]+\/src\/.*\.ts$/u.test(path) && !/\.test\.ts$|\/test-support\//u.test(path))
    .filter((path) => !OTHERS.test(path));

/** Texts of a file that look like advice: string literals of more than one word, with the surface that they are for. */
const phrasesIn = (file: string): readonly Phrase[] => {
  const lines = readFileSync(join(packages, file), 'utf8').split('\n');
  return lines.flatMap((line, index): Phrase[] => {
    if (/^\s*(?:\/\/|\*|\/\*)/u.test(line)) return [];
    // A long text stands on the line below its name.
    const named = /^\s*['"`]/u.test(line) ? `${lines[index - 1] ?? ''}${line}` : line;
    return [...named.matchAll(/(?:\b(api|cli): *)?(['"`])((?:\\.|(?!\2).)*\s(?:\\.|(?!\2).)*)\2/gu)].map(
      ([, surface, , text = '']) => ({
        file,
        line: index + 1,
        text,
        surface: surface === 'api' || surface === 'cli' ? surface : 'both',
      }),
    );
  });
};

/** Definitions and descriptions of routes are about routes. */
const isAboutRoutes = ({ file, text }: Phrase): boolean =>
  /^registry\/src\/http\/(?:route|openapi)\//u.test(file) && !/lists|registers/u.test(text);

const misplaced = (phrases: readonly Phrase[]): readonly string[] =>
  phrases
    .filter((phrase) => {
      const forTerminal = TERMINAL.test(phrase.file) || phrase.surface === 'cli';
      if (forTerminal) return ROUTE.test(phrase.text) && !/\$\{|request\('/u.test(phrase.text);
      if (phrase.surface === 'api') return COMMAND.test(phrase.text);
      return COMMAND.test(phrase.text) || ROUTE.test(phrase.text);
    })
    .map(({ file, line, text }) => `${file}:${line} ${text.slice(0, 100)}`);

describe('what readers are advised to do', () => {
  const all = sources().flatMap(phrasesIn);
  const [excepted, others] = [true, false].map((is) =>
    all.filter(({ file }) => Object.hasOwn(EXCEPTIONS, file) === is),
  );

  it('names commands to those at a terminal, and routes to programs', () => {
    expect(misplaced((others ?? []).filter((phrase) => !isAboutRoutes(phrase)))).toEqual([]);
  });

  it('has no exception that is none', () => {
    const needed = new Set(misplaced(excepted ?? []).map((found) => found.split(':')[0]));
    expect(Object.keys(EXCEPTIONS).filter((file) => !needed.has(file))).toEqual([]);
  });

  it('has both forms where one of them names a command or a route', () => {
    const pairs = all.filter(({ surface }) => surface !== 'both');
    expect(pairs.length).toBeGreaterThan(40);
    expect(pairs.filter(({ surface }) => surface === 'api').length).toBe(
      pairs.filter(({ surface }) => surface === 'cli').length,
    );
  });
});
