import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PlugboardError } from '@plugboard/contract';
import type { Received } from '../log/received.js';
import type { FakeHttpProcessOptions, FakeProcessOptions, ProcessBrief } from './process-options.js';

/** What a stdio client, or a supervisor, starts. */
export interface FakeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

// The compiled entry, seen alike from src/process and from dist/process.
const ENTRY = fileURLToPath(new URL('../../dist/process/fake-process-entry.js', import.meta.url));
/** Linux takes no longer argument than 128 KiB. */
const MAX_BRIEF_BYTES = 120_000;

const holdsFunction = (value: unknown): boolean =>
  typeof value === 'function' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsFunction));

const commandFor = (brief: ProcessBrief): FakeCommand => {
  if (holdsFunction(brief)) {
    throw new PlugboardError('INVALID_ARGUMENT', 'A fake in a process of its own cannot take functions.', {
      hint: 'Name a stock handler, give a canned result, or use fakeServer() inside the test.',
    });
  }
  const json = JSON.stringify(brief);
  if (Buffer.byteLength(json) > MAX_BRIEF_BYTES) {
    throw new PlugboardError('INVALID_ARGUMENT', 'The definition of the fake is too long for a command line.', {
      hint: 'Name a fixture instead of listing its tools.',
    });
  }
  return { command: process.execPath, args: [ENTRY, json], env: {} };
};

/** A fake stdio server as a real process: spawn `command` with `args`. */
export const fakeServerCommand = (options: FakeProcessOptions = {}): FakeCommand =>
  commandFor({ ...options, transport: 'stdio' });

/** A fake HTTP server as a real process; it says `listening on <url>` on stderr when it is ready. */
export const fakeHttpServerCommand = (options: FakeHttpProcessOptions = {}): FakeCommand =>
  commandFor({ ...options, transport: options.transport ?? 'streamable-http' });

/** What the process with this `logFile` has received so far. */
export const readProcessLog = (logFile: string): readonly (Received & { readonly pid: number })[] => {
  let text = '';
  try {
    text = readFileSync(logFile, 'utf8');
  } catch {
    return [];
  }
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Received & { pid: number });
};
