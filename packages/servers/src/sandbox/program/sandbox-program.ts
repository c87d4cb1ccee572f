import { McpServer } from '@modelcontextprotocol/server';
import type { OptionValues, ServerParts, ServerProgram } from '../../serve/command-line/server-program.js';
import { listOption } from '../../serve/command-line/list-option.js';
import { wholeNumberOption } from '../../serve/command-line/whole-number-option.js';
import { resolveName } from '../../send/resolve-name.js';
import { TARGET_RULE } from '../../send/target-policy.js';
import { VERSION } from '../../version.js';
import { Sandbox } from '../run/sandbox.js';
import { DEFAULT_SETTINGS, type SandboxSettings } from '../run/sandbox-settings.js';
import { registerFileResource } from '../tools/file-resource.js';
import { registerFileTools } from '../tools/file-tools.js';
import { registerRunCode } from '../tools/run-code.js';
import { registerSessionTools } from '../tools/session-tools.js';

const MIB = 1024 * 1024;

const INSTRUCTIONS =
  'Runs JavaScript and TypeScript in an isolate that reaches nothing outside. Use run_code for one program; create_session keeps variables and files between programs; put_file and get_file move files in and out by handle.';

export const settingsFrom = (values: OptionValues): SandboxSettings => {
  const { limits, ...rest } = DEFAULT_SETTINGS;
  const memory = { min: 4, max: 1024, fallback: limits.memoryBytes / MIB };
  return {
    ...rest,
    concurrency: wholeNumberOption(values, 'concurrency', { min: 1, max: 64, fallback: rest.concurrency }),
    maxSessions: wholeNumberOption(values, 'max-sessions', { min: 1, max: 10_000, fallback: rest.maxSessions }),
    sessionIdleMs:
      wholeNumberOption(values, 'session-idle', { min: 1, max: 86_400, fallback: rest.sessionIdleMs / 1000 }) * 1000,
    ...fetchRules(values),
    limits: {
      ...limits,
      cpuMs: wholeNumberOption(values, 'cpu-ms', { min: 10, max: 600_000, fallback: limits.cpuMs }),
      timeMs: wholeNumberOption(values, 'time-ms', { min: 10, max: 600_000, fallback: limits.timeMs }),
      memoryBytes: wholeNumberOption(values, 'memory-mb', memory) * MIB,
    },
  };
};

const fetchRules = (values: OptionValues): Pick<SandboxSettings, 'fetch'> => {
  const hosts = listOption(values, 'allow-fetch', TARGET_RULE);
  return hosts.length === 0 ? {} : { fetch: { hosts, resolve: resolveName, timeMs: 10_000, maxBodyBytes: MIB } };
};

/** The server as one client sees it. */
export const sandboxServer = (sandbox: Sandbox): McpServer => {
  const server = new McpServer(
    { name: 'sandbox', title: 'Sandbox', version: VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  registerRunCode(server, sandbox);
  registerSessionTools(server, sandbox);
  registerFileTools(server, sandbox);
  registerFileResource(server, sandbox);
  return server;
};

/** Runs code of strangers in isolates. */
export const sandboxProgram: ServerProgram = {
  name: 'plugboard-sandbox',
  version: VERSION,
  summary: 'Runs JavaScript and TypeScript in isolates without network, file system or processes.',
  defaultPort: 7071,
  options: {
    'cpu-ms': { type: 'string', value: 'ms', help: 'how long code may be executing in one run (5000)' },
    'time-ms': { type: 'string', value: 'ms', help: 'how long a run may last, waiting included (15000)' },
    'memory-mb': { type: 'string', value: 'MiB', help: 'memory of one isolate (64)' },
    'allow-fetch': {
      type: 'string',
      multiple: true,
      value: 'host',
      help: 'a host that fetch() may reach: name, name:port or *.domain; may be repeated (none)',
    },
    concurrency: { type: 'string', value: 'n', help: 'runs at the same time (2)' },
    'max-sessions': { type: 'string', value: 'n', help: 'sessions at the same time (32)' },
    'session-idle': { type: 'string', value: 's', help: 'how long a session lives unused (900)' },
  },
  open: ({ values }): ServerParts => {
    const sandbox = new Sandbox(settingsFrom(values));
    return {
      makeServer: () => sandboxServer(sandbox),
      health: () => ({ languages: ['javascript', 'typescript'], sandbox: sandbox.load }),
      close: () => sandbox.close(),
    };
  },
};
