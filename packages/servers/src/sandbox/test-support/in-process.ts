import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type McpServer } from '@modelcontextprotocol/server';
import { compileEngine } from '../isolate/engine-module.js';
import { evaluate } from '../isolate/evaluate.js';
import type { IsolateJob, RunOutcome } from '../isolate/isolate-job.js';
import type { RunOptions } from '../isolate/isolate-pool.js';

/** Runs jobs in the thread of the test: for everything that is not about threads. */
export const inProcessPool = () => {
  const engine = compileEngine();
  return {
    running: 0,
    waiting: 0,
    close: () => Promise.resolve(),
    run: async (job: IsolateJob, { onLine, signal, answer }: RunOptions = {}): Promise<RunOutcome> =>
      signal?.aborted === true
        ? { kind: 'stopped', code: 'CANCELLED', usage: { cpuMs: 0, memoryBytes: 0 } }
        : evaluate(job, { engine: await engine, say: (line) => onLine?.(line), answer }),
  };
};

/** A client and a server in one process. */
export const connectInProcess = async (server: McpServer): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  return client;
};
