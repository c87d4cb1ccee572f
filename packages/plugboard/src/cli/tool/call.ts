import { EXIT, type ExitCode, PlugboardError, toolResult, type ToolResult, type ToolView } from '@plugboard/contract';
import { z } from 'zod';
import { nearest } from '@plugboard/base';
import { type Problem, validateArguments } from '@plugboard/schema';
import type { HubRequestOptions } from '../../hub-api/hub-api.js';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { rpc } from '../../hub-api/json-rpc.js';
import { type ToolPlace, type UsableTool, usableServer, usableTools } from '../../hub-api/client/usable-tools.js';
import { asWritten, contentWords } from '../render/content.js';
import type { Output } from '../../terminal/output.js';
import { type ArgumentFlags, collectArguments } from '../input/call-arguments.js';
import type { CommandContext } from '../command/command-context.js';
import { findTool } from '../../hub-api/client/find-tool.js';
import { agentIdOf, onBehalf } from '../../hub-api/client/on-behalf.js';
import { someOf } from '../../terminal/count.js';
import { propertySchemas } from '../render/parameters.js';
import { ownCommand } from '../../terminal/shell-quote.js';
import { printableLine } from '../../terminal/printable.js';

export interface CallInput extends ArgumentFlags {
  /** The toolset whose tool is called, in place of a server. */
  readonly toolset?: string | undefined;
  /** The agent whose variables and login are used, by its name or id. */
  readonly agent?: string | undefined;
  readonly server: string;
  readonly tool: string;
  /** Seconds. */
  readonly timeout?: number | undefined;
  /** false: --no-validate. */
  readonly validate: boolean;
}

/** The hub ends calls by its own deadlines; this is only the end that none of them can move. */
const LONGEST_SECONDS = 3660;

const tooSlow = (server: string, tool: string, seconds: number): PlugboardError =>
  new PlugboardError('UPSTREAM_TIMEOUT', `The tool ${tool} of ${server} did not answer within ${seconds} s.`, {
    hint: `The hub works, but the tool is slow. The call was cancelled and may still have run. Allow more time with --timeout ${Math.ceil(seconds * 5)}.`,
  });

const words = (result: ToolResult): string => {
  const parts = (result.content ?? []).map((part) => contentWords(part, asWritten));
  if (parts.length > 0) return parts.join('\n');
  return result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent, null, 2);
};

const tellResult = (result: ToolResult, out: Output, name: string): void => {
  const text = words(result);
  if (result.isError === true) {
    out.problem(
      `${out.noteStyle.red(out.noteStyle.bold('error'))}    ${name} reported: ${text === '' ? 'nothing' : text}`,
    );
    return;
  }
  out.verbatim(text);
  if (text === '') out.note(out.noteStyle.dim(`${name} answered without content.`));
};

/** As somebody else: the variables and the login of the agent, and the whole result of its call. */
const callFor = async (
  { api }: HubClient,
  { place, tool, args }: Called,
  options: Omit<HubRequestOptions, 'body'> & { readonly agent: string },
): Promise<unknown> => {
  const { agent, ...request } = options;
  const path = `/v1/mcp-servers/${encodeURIComponent(place.id ?? place.name)}/tools/${encodeURIComponent(tool.id ?? '')}/run`;
  const { json } = await api.request('POST', `${path}${onBehalf(await agentIdOf(api, agent), '?')}`, {
    ...request,
    body: { args },
  });
  return runAnswer.parse(json).result;
};

const runAnswer = z.looseObject({ result: z.unknown() });

interface Called {
  readonly place: ToolPlace;
  readonly tool: UsableTool;
  readonly args: Readonly<Record<string, unknown>>;
}

const placeOf = async (client: HubClient, input: CallInput): Promise<ToolPlace> => {
  if (input.toolset === undefined) return usableServer(client, input.server);
  if (input.agent === undefined) return { kind: 'toolsets', name: input.toolset };
  throw new PlugboardError('INVALID_ARGUMENT', '--agent cannot be combined with --toolset.', {
    hint: 'Call the toolset with the key of the agent: PLUGBOARD_API_KEY=… plugboard call --toolset …',
  });
};

/** `/filters/0/name` as `filters.0.name`. */
const argumentName = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

const line = ({ pointer, message, keyword }: Problem): string => {
  // A missing argument is named by the message itself.
  const name = keyword === 'required' ? '' : argumentName(pointer);
  return `- ${name === '' ? '' : `${name}: `}${message}`;
};

type Taking = Pick<ToolView, 'upstream_name' | 'input_schema'>;

/** Refuses arguments that the tool's own schema refuses, naming each wrong one, before anything is sent. */
const assertArguments = (server: string, tool: Taking, args: Readonly<Record<string, unknown>>): void => {
  const verdict = validateArguments(tool.input_schema, args);
  if (verdict.ok) return;
  const name = printableLine(tool.upstream_name);
  const lines = verdict.problems.map((problem) => printableLine(line(problem)));
  throw new PlugboardError('INVALID_ARGUMENT', [`These arguments do not fit ${name}:`, ...lines].join('\n'), {
    hint: `Show its arguments: plugboard tools ${ownCommand([server, tool.upstream_name])}. To send them anyway: --no-validate.`,
    details: { problems: verdict.problems },
  });
};

/** Names that the tool does not declare: allowed by many schemas, and most often a typing error. */
const strangeArguments = (tool: Taking, args: Readonly<Record<string, unknown>>): string | undefined => {
  const declared = Object.keys(propertySchemas(tool.input_schema));
  const strange = Object.keys(args).filter((name) => !declared.includes(name));
  const [first] = strange;
  if (declared.length === 0 || first === undefined) return undefined;
  const near = nearest(first, declared);
  const known = `It has ${someOf(declared.map(printableLine), 12)}.`;
  return `${printableLine(tool.upstream_name)} declares no ${strange.map((name) => `"${printableLine(name)}"`).join(' and ')}. ${near === undefined ? known : `Did you mean "${printableLine(near)}"?`}`;
};

export const run = async (context: CommandContext, input: CallInput): Promise<ExitCode> => {
  const { out, hub, waiting } = context;
  const client = await hub();
  const place = await placeOf(client, input);
  const tool = findTool(place.name, await usableTools(client, place), input.tool);
  const args = await collectArguments(context, input, tool.input_schema);
  const strange = strangeArguments(tool, args);
  if (strange !== undefined) out.note(strange);
  if (input.validate) assertArguments(place.name, tool, args);
  const seconds = input.timeout ?? LONGEST_SECONDS;
  const limits = { deadlineMs: seconds * 1000, tooSlow: () => tooSlow(place.name, tool.upstream_name, seconds) };
  const { agent } = input;
  const answer = await waiting(`Calling ${tool.upstream_name}`, () =>
    agent === undefined
      ? rpc(
          client.api,
          {
            server: place.name,
            kind: place.kind,
            method: 'tools/call',
            params: { name: tool.upstream_name, arguments: args },
          },
          limits,
        )
      : callFor(client, { place, tool, args }, { agent, ...limits }),
  );
  const parsed = toolResult.safeParse(answer);
  if (!parsed.success) {
    throw new PlugboardError('UPSTREAM_PROTOCOL', `${tool.upstream_name} did not return a tool result.`, {
      hint: 'See the whole answer in the log of the hub; the server does not follow the protocol.',
    });
  }
  out.data(answer);
  tellResult(parsed.data, out, tool.upstream_name);
  return parsed.data.isError === true ? EXIT.failed : EXIT.ok;
};
