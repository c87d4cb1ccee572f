import type { FakeTool } from '../definition/tool.js';
import { numberOf, schemaOf, textOf } from './argument.js';

export const env: FakeTool = {
  name: 'env',
  description: 'The environment of the process as JSON, or one variable of it.',
  inputSchema: schemaOf({ name: 'string' }),
  annotations: { readOnlyHint: true },
  handler: (args, call) => {
    const name = textOf(args, 'name');
    return name === '' ? JSON.stringify(call.host.env) : (call.host.env[name] ?? '');
  },
};

export const pid: FakeTool = {
  name: 'pid',
  description: 'The id of the process that runs this tool.',
  inputSchema: schemaOf({}),
  annotations: { readOnlyHint: true },
  handler: (_args, call) => String(call.host.pid),
};

export const crash: FakeTool = {
  name: 'crash',
  description: 'Ends the server abruptly.',
  inputSchema: schemaOf({}),
  handler: (_args, call) => {
    call.host.crash();
    return new Promise<string>(() => undefined);
  },
};

const FLOOD_PIECE = `${'x'.repeat(65_535)}\n`;

export const stderr: FakeTool = {
  name: 'stderr',
  description: 'Writes this many bytes to stderr before it answers.',
  inputSchema: schemaOf({ bytes: 'integer', text: 'string' }),
  handler: (args, call) => {
    call.host.stderr(textOf(args, 'text'));
    for (let left = numberOf(args, 'bytes', 0); left > 0; left -= FLOOD_PIECE.length) {
      call.host.stderr(FLOOD_PIECE.slice(0, left));
    }
    return 'written';
  },
};

const held: Buffer[] = [];

export const allocate: FakeTool = {
  name: 'allocate',
  description: 'Takes this many megabytes of memory and keeps them.',
  inputSchema: schemaOf({ megabytes: 'integer' }, ['megabytes']),
  handler: (args) => {
    const megabytes = numberOf(args, 'megabytes', 0);
    // Filled, so that the pages are really resident.
    for (let count = 0; count < megabytes; count += 1) held.push(Buffer.alloc(1024 * 1024, 1));
    return String(held.length);
  },
};
