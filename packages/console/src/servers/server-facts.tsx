import type { ServerView } from '@plugboard/contract';
import { CopyText } from '../ui/copy-text.js';
import { type Fact, FactList } from '../ui/fact-list.js';
import { ago, visible } from '../ui/format-text.js';
import { ServerGreeting } from './server-greeting.js';

const rowsOf = (server: ServerView): readonly Fact[] => {
  const { protocol, program } = server;
  const reach: readonly Fact[] =
    server.mcp_server_type === 'stdio'
      ? [
          ['Command', <code>{visible([server.command, ...server.args].join(' '))}</code>],
          ['Environment', Object.keys(server.env ?? {}).join(', ') || '–'],
        ]
      : [
          ['URL', <code>{visible(server.server_url)}</code>],
          ['Token', server.auth_token ?? '–'],
          ['Headers', Object.keys(server.custom_headers ?? {}).join(', ') || '–'],
        ];
  return [
    ...reach,
    [
      'Protocol',
      protocol === null ? 'not known yet' : `${protocol.revision} (${protocol.era}), over ${protocol.transport}`,
    ],
    ['Connections', server.sharing ?? 'as the server needs them'],
    ...(program === undefined
      ? []
      : [
          [
            'Program',
            `${program.running} running, ${program.starts_last_hour} starts and ${program.failures_last_hour} failures in the last hour`,
          ] as const,
        ]),
    ['Added', ago(server.created_at)],
    ['Changed', ago(server.updated_at)],
  ];
};

export const ServerFacts = ({ server }: { readonly server: ServerView }) => {
  const lastWords = server.program?.last_exit?.last_lines ?? [];
  return (
    <div className="stack">
      <FactList facts={rowsOf(server)} />
      <CopyText
        label="MCP endpoint of this server"
        text={`${window.location.origin}/servers/${encodeURIComponent(server.server_name)}/mcp`}
      />
      {server.enabled ? <ServerGreeting name={server.server_name} /> : null}
      {lastWords.length === 0 ? null : (
        <section className="stack tight">
          <h2>Last output of its program</h2>
          <pre className="code">{visible(lastWords.join('\n'))}</pre>
        </section>
      )}
    </div>
  );
};
