import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Era } from '@plugboard/testing';

const PROGRAM = fileURLToPath(new URL('tiny-stdio-server.mjs', import.meta.url));

/** The config of a stdio server that starts as fast as Node does. */
export const tinyServer = (era: Era, file?: string): object => ({
  mcp_server_type: 'stdio',
  command: process.execPath,
  args: [PROGRAM, era, ...(file === undefined ? [] : [file])],
});

const SCRIPT = fileURLToPath(new URL('tiny-stdio-server.sh', import.meta.url));

/** The config of a legacy stdio server that hundreds of can be started. */
export const shellServer = (): object => ({ mcp_server_type: 'stdio', command: '/bin/sh', args: [SCRIPT] });

export interface Noted {
  readonly pid: number;
  readonly key: string;
}

/** Every execution of `note` so far, in every process. */
export const readNotes = (file: string): readonly Noted[] => {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => ({ pid: Number.parseInt(line, 10), key: line.slice(line.indexOf(' ') + 1) }));
};
