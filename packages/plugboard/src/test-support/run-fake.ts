import { runCli } from '../cli/run-cli.js';
import { type FakeHub, fakeHub, type FakeHubOptions } from './fake-hub.js';
import { fakeProcess, type FakeProcessOptions } from './fake-process.js';

export interface FakeRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly hub: FakeHub;
  /** stdout as JSON. */
  readonly json: () => unknown;
}

/** Runs a command line in memory, against a hub in memory. */
export const runFake = async (
  argv: readonly string[],
  hubOptions: FakeHubOptions = {},
  processOptions: FakeProcessOptions = {},
): Promise<FakeRun> => {
  const process = fakeProcess(argv, processOptions);
  const hub = fakeHub({ ...hubOptions, signal: process.signal });
  const code = await runCli(process, { openHub: async () => hub.api });
  return { code, ...process.written, hub, json: () => JSON.parse(process.written.stdout) as unknown };
};
