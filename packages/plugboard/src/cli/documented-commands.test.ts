import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { fakeProcess } from '../test-support/fake-process.js';
import { buildProgram } from './build-program.js';

const root = resolve(import.meta.dirname, '../../../..');
const GENERATED = new Set(['docs/cli.md', 'docs/checks.md']);

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('site'))
    .map((name) => `docs/${name}`),
].filter((name) => !GENERATED.has(name));

const FENCE = /^```(?<language>\w*)\n(?<body>[\s\S]*?)^```$/gmu;
const SHELL = new Set(['', 'sh', 'bash', 'console']);
const COMMAND = /^(?:\$ )?(?:\w+=\S+ )*(?:npx (?:-y )?)?plugboard(?<rest>(?: .*)?)$/u;

/** The lines of shell in a document that run the program, without what a pipe or a comment adds. */
const commandsOf = (text: string): readonly string[] =>
  [...text.matchAll(FENCE)]
    .filter(({ groups }) => SHELL.has(groups?.['language'] ?? ''))
    .flatMap(({ groups }) => (groups?.['body'] ?? '').replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => {
      const rest = COMMAND.exec(line)?.groups?.['rest'];
      return rest === undefined ? [] : [rest.replace(/ (?:#|\||>|&&|&|<) .*$/u, '').trim()];
    });

const words = (line: string): readonly string[] =>
  [...line.matchAll(/'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<bare>(?:[^\s'"]|'[^']*'|"[^"]*")+)/gu)].map(
    ({ groups }) => groups?.['single'] ?? groups?.['double'] ?? (groups?.['bare'] ?? '').replaceAll(/['"]/gu, ''),
  );

/** Parses a line as the program would, and runs nothing. */
const parse = async (line: string): Promise<void> => {
  const program = buildProgram(fakeProcess([]), async () => {});
  const silence = (command: Command): void => {
    command.exitOverride().action(() => {});
    for (const nested of command.commands) silence(nested);
  };
  for (const command of program.commands) silence(command);
  await program.parseAsync(['node', 'plugboard', ...words(line)]);
};

describe('commands in the documentation', () => {
  const all = documents.flatMap((name) =>
    commandsOf(readFileSync(join(root, name), 'utf8')).map((line) => ({ name, line })),
  );

  it('are found', () => {
    expect(all.length).toBeGreaterThan(40);
  });

  it.each(all)('$name: plugboard $line', async ({ line }) => {
    await expect(parse(line)).resolves.toBeUndefined();
  });

  it.each(['nonsense', 'list --no-such-option', 'show'])('refuses "%s"', async (line) => {
    await expect(parse(line)).rejects.toThrow('error:');
  });
});
