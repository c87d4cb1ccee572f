import { resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import type { OptionValues, ServerParts, ServerProgram } from '../../serve/command-line/server-program.js';
import { listOption } from '../../serve/command-line/list-option.js';
import { wholeNumberOption } from '../../serve/command-line/whole-number-option.js';
import { VERSION } from '../../version.js';
import { CollectionLibrary } from '../library/collection-library.js';
import type { RunnerOptions, RunPlan, RunReport } from '../run/collection-runner.js';
import { ScriptRunner } from '../script/script-runner.js';
import { resolveName } from '../../send/resolve-name.js';
import { sendRequest } from '../../send/send-request.js';
import { TARGET_RULE, TargetPolicy } from '../../send/target-policy.js';
import { readBodyFile } from '../library/body-file.js';
import { registerLibraryTools } from '../tools/library-tools.js';
import { registerRunTools, type RunToolParts } from '../tools/run-tools.js';

const DEFAULT_DIRECTORY = 'collections';

const INSTRUCTIONS =
  'Runs requests and tests of Postman collections and OpenAPI documents. Use list_collections, then get_collection for the ids of requests, then run_request or run_collection.';

export interface CollectionsSettings {
  readonly directory: string;
  readonly targets: readonly string[];
  readonly loopback: boolean;
  readonly requestMs: number;
  readonly runMs: number;
  readonly maxBodyBytes: number;
}

export const settingsFrom = (values: OptionValues, cwd: string): CollectionsSettings => {
  return {
    directory: resolve(cwd, typeof values['dir'] === 'string' ? values['dir'] : DEFAULT_DIRECTORY),
    targets: listOption(values, 'allow-target', TARGET_RULE),
    loopback: values['no-loopback'] !== true,
    requestMs: wholeNumberOption(values, 'request-ms', { min: 10, max: 600_000, fallback: 10_000 }),
    runMs: wholeNumberOption(values, 'run-ms', { min: 10, max: 3_600_000, fallback: 120_000 }),
    maxBodyBytes: wholeNumberOption(values, 'max-body-kb', { min: 1, max: 65_536, fallback: 1024 }) * 1024,
  };
};

/** Loads what it needs with the first run, so that the server itself starts quickly. */
const lazyRunner = (options: RunnerOptions) => ({
  run: async (plan: RunPlan): Promise<RunReport> => {
    const { CollectionRunner } = await import('../run/collection-runner.js');
    return new CollectionRunner(options).run(plan);
  },
});

/** The server as one client sees it. */
export const collectionsServer = (parts: RunToolParts): McpServer => {
  const server = new McpServer(
    { name: 'collections', title: 'Collections', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  registerLibraryTools(server, parts.library);
  registerRunTools(server, parts);
  return server;
};

/** Runs the requests of API collections. */
export const collectionsProgram: ServerProgram = {
  name: 'plugboard-collections',
  version: VERSION,
  summary: 'Lists, shows and runs Postman collections and OpenAPI documents of a directory.',
  defaultPort: 3021,
  options: {
    dir: { type: 'string', value: 'dir', help: 'the directory of the collections (./collections)' },
    'allow-target': {
      type: 'string',
      multiple: true,
      value: 'host',
      help: 'a host that requests may be sent to, in addition to loopback: name, name:port or *.domain; may be repeated',
    },
    'no-loopback': { type: 'boolean', help: 'requests may not go to this machine' },
    'request-ms': { type: 'string', value: 'ms', help: 'the time limit for one response, in ms (10000)' },
    'run-ms': { type: 'string', value: 'ms', help: 'how long a run may last (120000)' },
    'max-body-kb': { type: 'string', value: 'KiB', help: 'the largest answer that is read (1024)' },
  },
  open: ({ values, cwd }): ServerParts => {
    const { directory, targets, loopback, ...limits } = settingsFrom(values, cwd);
    const scripts = new ScriptRunner();
    const policy = new TargetPolicy({ allowed: targets, loopback, resolve: resolveName });
    const parts = {
      library: new CollectionLibrary(directory),
      runner: lazyRunner({
        ...limits,
        policy,
        scripts,
        sendRequest,
        readFile: (src) => readBodyFile(directory, src),
      }),
    };
    return { makeServer: () => collectionsServer(parts), close: () => scripts.close() };
  },
};
