import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  configTrial,
  liveTool,
  type LiveTool,
  PlugboardError,
  type ServerConfig,
  type ToolDefinition,
  toolDefinition,
} from '@plugboard/contract';
import { z } from 'zod';
import { isFile } from '../input/is-file.js';
import type { CommandContext } from '../command/command-context.js';
import { readStdin } from '../input/read-stdin.js';
import { isUrl } from '../server-flags/server-target.js';
import type { HubAnswer } from '../../hub-api/hub-api.js';
import { readAnswer } from '../../hub-api/read-answer.js';
import { parseJsonc } from '../../mcp-json/jsonc.js';

/** Tools to examine, and what to call the place they came from. */
export interface LintSource {
  readonly tools: readonly ToolDefinition[];
  /** The name of the server, when there is one. */
  readonly server: string | undefined;
  /** A file or an address. */
  readonly uri: string;
}

export interface LintTarget {
  readonly words: readonly string[];
  /** The words stood after two dashes. */
  readonly isCommand: boolean;
  /** The config for words that are a URL or a command. */
  readonly config: () => Promise<ServerConfig>;
}

/** What was to be examined cannot be, and nobody knows whether it is good or bad. */
export class NotExaminedError extends PlugboardError {
  override readonly name = 'NotExaminedError';
}

type ToolFile =
  | { readonly ok: true; readonly tools: readonly ToolDefinition[] }
  | { readonly ok: false; readonly why: string };

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** `{tools: […]}`, a plain array, or the whole answer to tools/list. */
const parseToolFile = (text: string): ToolFile => {
  const json = parseJsonc(text);
  if (!json.ok) return { ok: false, why: `line ${json.line}: ${json.why}` };
  const list = [json.value, member(json.value, 'tools'), member(member(json.value, 'result'), 'tools')].find(
    Array.isArray,
  );
  if (list === undefined) return { ok: false, why: 'it contains no array of tools' };
  const tools: ToolDefinition[] = [];
  for (const [index, entry] of (list as readonly unknown[]).entries()) {
    const parsed = toolDefinition.safeParse(entry);
    if (!parsed.success) return { ok: false, why: `entry ${index + 1} is not a tool, because it has no name` };
    tools.push(parsed.data);
  }
  return { ok: true, tools };
};

const fromText = (text: string, uri: string): LintSource => {
  const parsed = parseToolFile(text);
  if (parsed.ok) return { tools: parsed.tools, server: undefined, uri };
  throw new NotExaminedError('INVALID_ARGUMENT', `${uri} is not a list of tools: ${parsed.why}.`, {
    hint: 'It must contain {"tools": […]}, an array of tools, or a response to tools/list.',
  });
};

const withoutHealth = ({ health: _health, ...definition }: LiveTool): ToolDefinition => definition;

const readTools = (answer: HubAnswer, schema: z.ZodType<readonly LiveTool[]>): readonly ToolDefinition[] =>
  readAnswer(schema, answer, 'the tools').map(withoutHealth);

const fromRegistered = async ({ hub, waiting }: CommandContext, name: string): Promise<LintSource> => {
  const client = await hub();
  const { server_name: server } = await client.server(name);
  const answer = await waiting(`Reading the tools of ${server}`, () =>
    client.api.request('GET', `/v1/tools/mcp/servers/${encodeURIComponent(server)}/tools`),
  );
  return { tools: readTools(answer, z.array(liveTool)), server, uri: server };
};

const fromConfig = async ({ hub, waiting }: CommandContext, config: ServerConfig): Promise<LintSource> => {
  const { mcp_server_type: type, ...members } = config;
  const client = await hub();
  const answer = await waiting('Reading its tools', () =>
    client.api.request('POST', '/v1/tools/mcp/servers/test', { body: { server_name: 'lint', type, ...members } }),
  );
  const tools = readTools(
    answer,
    configTrial.transform((trial) => trial.tools),
  );
  return { tools, server: undefined, uri: config.mcp_server_type === 'stdio' ? config.command : config.server_url };
};

const fromFile = async (path: string, shown: string): Promise<LintSource> => {
  try {
    return fromText(await readFile(path, 'utf8'), shown);
  } catch (thrown) {
    if (thrown instanceof PlugboardError) throw thrown;
    throw new NotExaminedError('INVALID_ARGUMENT', `The file ${shown} cannot be read.`, {
      hint: 'Check the path and its permissions.',
      cause: thrown,
    });
  }
};

/** A registered server, a URL, a file, standard input, or a command: whatever the words mean. */
export const readLintSource = async (context: CommandContext, target: LintTarget): Promise<LintSource> => {
  const { process } = context;
  const [first = '', ...rest] = target.words;
  if (target.isCommand || rest.length > 0 || isUrl(first)) return fromConfig(context, await target.config());
  if (first === '-') return fromText(await readStdin(process.stdin, process.signal), 'stdin');
  const path = resolve(process.cwd, first);
  if (/[/\\]|\.jsonc?$/u.test(first) || (await isFile(path))) return fromFile(path, first);
  return fromRegistered(context, first);
};
