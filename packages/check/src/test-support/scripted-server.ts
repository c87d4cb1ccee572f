import { PassThrough } from 'node:stream';
import type { ExitStatus, Launch } from '../connection/child.js';
import { messagesIn, type JsonObject } from '../connection/json.js';
import { LineSplitter } from '../connection/line-splitter.js';

/** A result under `result`, or an error under `error`; undefined for the answer of a server without this method. */
export type Script = (method: string, params: JsonObject) => JsonObject | undefined;

export interface ScriptedServer {
  readonly launch: Launch;
  /** The requests that followed the opening, in their order. */
  readonly asked: readonly { readonly method: string; readonly params: JsonObject }[];
  /** How many of its programs still run. */
  readonly running: () => number;
}

const OPENING = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
};

/** A server of the legacy era in memory, whose answers a test gives. */
export const scriptedServer = (script: Script, opening: JsonObject = {}): ScriptedServer => {
  const asked: { method: string; params: JsonObject }[] = [];
  let running = 0;
  const answerTo = (method: string, params: JsonObject): JsonObject => {
    if (method === 'initialize') return { result: { ...OPENING, ...opening } };
    if (method !== 'server/discover') asked.push({ method, params });
    return script(method, params) ?? { error: { code: -32_601, message: 'Method not found' } };
  };
  const launch: Launch = () => {
    running += 1;
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const lines = new LineSplitter();
    let exit = (_status: ExitStatus): void => undefined;
    const exited = new Promise<ExitStatus>((resolve) => {
      exit = (status) => {
        if (stdout.writableEnded) return;
        running -= 1;
        stdout.end();
        resolve(status);
      };
    });
    stdin.on('data', (chunk: Buffer) => {
      for (const { id, method, params } of lines.push(chunk).flatMap(messagesIn)) {
        if (id === undefined || typeof method !== 'string') continue;
        const answer = answerTo(method, (params ?? {}) as JsonObject);
        if (!stdout.writableEnded) stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
      }
    });
    stdin.on('end', () => exit({ code: 0, signal: null }));
    return {
      pid: undefined,
      stdin,
      stdout,
      stderr: undefined,
      exited,
      kill: (signal) => exit({ code: null, signal }),
    };
  };
  return { launch, asked, running: () => running };
};
