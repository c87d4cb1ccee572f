import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, type ExitCode, type SyncReport, toPlugboardError, hintFor } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { parseClientFile } from '../../mcp-json/client-file.js';
import { CLIENTS, type ClientName } from '../../mcp-json/client-name.js';
import { clientPlace } from '../../mcp-json/client-place.js';
import { type ImportStep, planImport } from '../../mcp-json/plan-import.js';
import { wrapLines } from '../../terminal/wrap-lines.js';
import type { CommandContext } from '../command/command-context.js';
import { parsePairs } from '../input/pair-flags.js';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { count } from '../../terminal/count.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface ImportInput {
  readonly file?: string | undefined;
  readonly client?: ClientName | undefined;
  readonly input: readonly string[];
  readonly dryRun: boolean;
}

/** What became of one entry, as --json tells it. */
export type ImportOutcome =
  | { readonly outcome: 'added'; readonly name: string; readonly as: string; readonly sync?: SyncReport }
  | { readonly outcome: 'already there'; readonly name: string; readonly as: string }
  | { readonly outcome: 'skipped' | 'refused'; readonly name: string; readonly why: string };

export interface ImportedFile {
  readonly path: string;
  readonly entries: readonly ImportOutcome[];
  /** Why the file could not be used at all. */
  readonly error?: string;
}

interface Found {
  readonly path: string;
  readonly text: string;
}

const readable = async (path: string): Promise<Found | undefined> => {
  try {
    return { path, text: await readFile(path, 'utf8') };
  } catch {
    return undefined;
  }
};

const findFiles = async ({ process }: CommandContext, { file, client }: ImportInput): Promise<readonly Found[]> => {
  const places =
    file === undefined
      ? (client === undefined ? CLIENTS : [client]).map((name) => clientPlace(name, process))
      : [resolve(process.cwd, file)];
  const found = (await Promise.all(places.map(readable))).filter((entry) => entry !== undefined);
  if (found.length > 0) return found;
  throw invalidArgument(
    file === undefined ? 'No file of a known MCP client was found.' : `The file ${file} cannot be read.`,
    file === undefined
      ? `Looked at:\n${places.join('\n')}\nName the file: plugboard import <file>.`
      : 'Check the path and its permissions.',
  );
};

const carryOut = async (step: ImportStep, client: HubClient, dryRun: boolean): Promise<ImportOutcome> => {
  switch (step.kind) {
    case 'skipped':
    case 'refused':
      return { outcome: step.kind, name: step.name, why: step.why };
    case 'present':
      return { outcome: 'already there', name: step.name, as: step.as };
    case 'add':
      break;
    default:
      return step satisfies never;
  }
  const added = { outcome: 'added', name: step.name, as: step.as } as const;
  if (dryRun) return added;
  try {
    const { sync } = await client.add({ server_name: step.as, config: step.config });
    return sync === undefined ? added : { ...added, sync };
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL' || error.code === 'HUB_UNREACHABLE') throw thrown;
    return { outcome: 'refused', name: step.name, why: error.message };
  }
};

const importFile = async (
  context: CommandContext,
  { path, text }: Found,
  input: ImportInput,
): Promise<ImportedFile> => {
  const parsed = parseClientFile(text);
  if (!parsed.ok) return { path, entries: [], error: parsed.why };
  const client = await context.hub();
  const { host, port } = await context.settings();
  const { place } = client.api;
  const steps = planImport(parsed.entries, {
    registered: await client.servers(),
    variables: {
      userHome: context.process.userHome,
      inputs: new Map(Object.entries(parsePairs('--input', input.input))),
    },
    questions: parsed.inputs,
    ownUrls: [`http://${host}:${port}`, `http://localhost:${port}`, ...(place.kind === 'running' ? [place.url] : [])],
  });
  const entries: ImportOutcome[] = [];
  for (const step of steps) {
    entries.push(await context.waiting(`Adding ${step.name}`, () => carryOut(step, client, input.dryRun)));
  }
  return { path, entries };
};

const addedWords = (entry: ImportOutcome & { readonly outcome: 'added' }, dryRun: boolean, style: Style): string => {
  const renamed =
    entry.as === entry.name ? '' : ` as ${style.bold(entry.as)}, because that name is taken or not allowed here`;
  if (dryRun) return `${style.green('would be added')}${renamed}`;
  if (entry.sync === undefined) return `${style.green('added')}${renamed}`;
  const { sync } = entry;
  if (sync.error === undefined) return `${style.green('added')}${renamed}, ${count(sync.total, 'tool')}`;
  const advice = hintFor(sync.error, 'cli');
  const hint = advice === undefined ? '' : ` ${printableLine(advice)}`;
  return `${style.yellow('added, but its tools could not be read')}${renamed}: ${printableLine(sync.error.message)}${hint}`;
};

const outcomeWords = (entry: ImportOutcome, dryRun: boolean, style: Style): string => {
  switch (entry.outcome) {
    case 'added':
      return addedWords(entry, dryRun, style);
    case 'already there':
      return style.dim(entry.as === entry.name ? 'already there' : `already there as ${entry.as}`);
    case 'skipped':
      return style.dim(`skipped: ${printableLine(entry.why)}`);
    case 'refused':
      return `${style.red('refused')}: ${printableLine(entry.why)}`;
    default:
      return entry satisfies never;
  }
};

/** What became of each entry of a file, one line each. */
export const importWords = (file: ImportedFile, dryRun: boolean, style: Style): string => {
  const title = style.bold(file.path);
  if (file.error !== undefined) return `${title}\n  ${style.red('not usable')}: ${file.error}`;
  if (file.entries.length === 0) return `${title}\n  It names no servers.`;
  const width = Math.max(...file.entries.map(({ name }) => printableLine(name).length));
  const lines = file.entries.map(
    (entry) => `  ${printableLine(entry.name).padEnd(width)}  ${outcomeWords(entry, dryRun, style)}`,
  );
  return [title, ...lines].join('\n');
};

export const run = async (context: CommandContext, input: ImportInput): Promise<ExitCode> => {
  const { out } = context;
  const files: ImportedFile[] = [];
  for (const found of await findFiles(context, input)) files.push(await importFile(context, found, input));
  out.data({ dry_run: input.dryRun, files });
  if (!out.quiet) {
    const words = files.map((file) => importWords(file, input.dryRun, out.style)).join('\n\n');
    out.text(wrapLines(words, out.width));
  }
  if (files.some((file) => file.error !== undefined)) return EXIT.notExamined;
  const refused = files.some((file) => file.entries.some(({ outcome }) => outcome === 'refused'));
  return refused ? EXIT.failed : EXIT.ok;
};
