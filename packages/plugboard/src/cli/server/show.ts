import {
  EXIT,
  type ExitCode,
  type PluginView,
  sandboxOf,
  type ServerProtocol,
  type ServerView,
  type ToolView,
} from '@plugboard/contract';
import { pluginClient } from '../../hub-api/client/plugin-client.js';
import { age } from '../../terminal/age.js';
import { count } from '../../terminal/count.js';
import { formatFields } from '../../terminal/fields.js';
import { exitWords, startWords } from '../render/program-words.js';
import { paintStatus, statusWords, typeWord } from '../render/server-words.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import { syncWords } from '../render/sync-words.js';
import { gradeWord } from '../render/tool-words.js';
import { explainError } from '../../terminal/explain-error.js';
import type { Output } from '../../terminal/output.js';
import { printableBlock, printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import type { CommandContext } from '../command/command-context.js';

export interface ShowInput {
  readonly server: string;
}

type Field = readonly [name: string, value: string | undefined];

const pairs = (values: Readonly<Record<string, string>> | null | undefined, separator: string): string | undefined => {
  const entries = Object.entries(values ?? {});
  return entries.length === 0
    ? undefined
    : entries.map(([name, value]) => printableLine(`${name}${separator}${value}`)).join('\n');
};

const deadlineWords = ({ deadlines }: ServerView): string | undefined => {
  const { tools, ...steps } = deadlines ?? {};
  const words = [
    ...Object.entries(steps).map(([step, seconds]) => `${step} ${seconds} s`),
    ...Object.entries(tools ?? {}).map(([tool, seconds]) => printableLine(`${tool} ${seconds} s`)),
  ];
  return words.length === 0 ? undefined : words.join(', ');
};

const sharedFields = (server: ServerView): readonly Field[] => [
  ['sharing', server.sharing ?? undefined],
  ['deadlines', deadlineWords(server)],
];

const listenWords = ({ listen }: Extract<ServerView, { mcp_server_type: 'stdio' }>): string | undefined =>
  listen === null || listen === undefined
    ? undefined
    : `on ${typeof listen.port === 'number' ? `port ${listen.port}` : 'any free port'}, at ${listen.path ?? '/mcp'}${
        typeof listen.health === 'string' ? `, health at ${listen.health}` : ''
      }`;

const sandboxWords = ({ sandbox }: Extract<ServerView, { mcp_server_type: 'stdio' }>): string | undefined => {
  const settings = sandboxOf(sandbox);
  if (settings === undefined) return undefined;
  const { read_only, writable, network, env } = settings;
  const lines = [
    network === true ? 'uses the network' : 'no network',
    ...(read_only ?? []).map((path) => `reads ${path}`),
    ...(writable ?? []).map((path) => `writes ${path}`),
    ...((env ?? []).length === 0 ? [] : [`gets ${(env ?? []).join(', ')}`]),
  ];
  return lines.map(printableLine).join('\n');
};

const configFields = (server: ServerView): readonly Field[] =>
  server.mcp_server_type === 'stdio'
    ? [
        ['command', printableLine(shellQuote([server.command, ...server.args]))],
        ['directory', server.cwd ?? undefined],
        ['environment', pairs(server.env, '=')],
        ['listens', listenWords(server)],
        [
          'limits',
          typeof server.limits?.memory_mb === 'number' ? `${server.limits.memory_mb} MB of memory` : undefined,
        ],
        ['restart', server.restart ?? undefined],
        ['sandbox', sandboxWords(server)],
        ...sharedFields(server),
        ['variables', pairs(server.variables, '=')],
      ]
    : [
        ['url', server.server_url],
        ['headers', pairs(server.custom_headers, ': ')],
        [
          'token',
          typeof server.auth_token === 'string'
            ? `${server.auth_header ?? 'Authorization'}: ${server.auth_token}`
            : undefined,
        ],
        ['profile', server.profile ?? undefined],
        ['authorities', typeof server.ca === 'string' ? 'its own, in addition to the built-in ones' : undefined],
        ['proxy', server.proxy ?? undefined],
        ['oauth issuer', server.oauth?.issuer ?? undefined],
        ...sharedFields(server),
        ['variables', pairs(server.variables, '=')],
      ];

const gradeCounts = (tools: readonly ToolView[]): string => {
  const words = tools.map(({ grade }) => gradeWord(grade.status));
  const counts = [...new Set(words)].map((word) => `${words.filter((other) => other === word).length} ${word}`);
  return tools.length === 0 ? 'none known' : `${tools.length} (${counts.join(', ')})`;
};

const programFields = (program: ServerView['program'], now: number): readonly Field[] =>
  program === undefined
    ? []
    : [
        ['program', startWords(program)],
        [
          'last exit',
          program.last_exit === null || (program.failures_last_hour === 0 && program.running > 0)
            ? undefined
            : printableBlock(exitWords(program.last_exit, now)),
        ],
      ];

const erasOf = ({ era, eras = [era] }: ServerProtocol): string => eras.join(' and ');

const stateFields = (server: ServerView, tools: readonly ToolView[], style: Style): readonly Field[] => {
  const now = Date.now();
  const { status, protocol, last_sync: sync } = server;
  const words = paintStatus(statusWords(server), style);
  return [
    ['status', status.state === 'unknown' ? words : `${words}, ${age(status.at, now)}`],
    ...programFields(server.program, now),
    ['missing', (server.missing_variables ?? []).join(', ') || undefined],
    [
      'protocol',
      protocol === null ? undefined : `${protocol.revision} (${erasOf(protocol)}) over ${protocol.transport}`,
    ],
    ['tools', gradeCounts(tools)],
    ['last sync', sync === null ? 'never' : `${age(sync.at, now)}, ${sync.status}`],
    ['registered', server.created_at],
    ['id', server.id],
  ];
};

const pluginField = (plugins: readonly PluginView[]): Field => [
  'plug-ins',
  plugins.map(({ name, state }) => `${name} (${state})`).join(', ') || undefined,
];

const troubles = (server: ServerView, out: Output): string => {
  const { style, width } = out;
  const { status, last_sync: sync } = server;
  if (status.state === 'failing') return explainError(status.error, style, width);
  if (status.state === 'unknown' && sync?.error !== undefined) return explainError(sync.error, style, width);
  return sync === null || sync.skipped.length + sync.failed.length === 0
    ? ''
    : syncWords({ ...sync, added: [], updated: [], deleted: [] }, out).join('\n');
};

export const run = async ({ out, hub }: CommandContext, input: ShowInput): Promise<ExitCode> => {
  const client = await hub();
  const server = await client.server(input.server);
  const tools = await client.tools(server.id);
  const plugins = await pluginClient(client.api).list(server.server_name);
  out.data({
    ...server,
    tools: tools.map(({ upstream_name: name, grade, enabled }) => ({ name, grade: grade.status, enabled })),
    ...(plugins.length === 0 ? {} : { plugins }),
  });
  const { style } = out;
  out.text(`${style.bold(server.server_name)}  ${typeWord(server)}`);
  out.text(formatFields([...configFields(server), ...stateFields(server, tools, style), pluginField(plugins)], style));
  const trouble = troubles(server, out);
  if (trouble !== '') out.text(`\n${trouble}`);
  if (server.program !== undefined) {
    out.note(style.dim(`\nplugboard logs ${shellQuote([server.server_name])}   shows its output`));
  }
  if (tools.length > 0) {
    out.note(style.dim(`\nplugboard tools ${shellQuote([server.server_name])}   shows ${count(tools.length, 'tool')}`));
  }
  return EXIT.ok;
};
