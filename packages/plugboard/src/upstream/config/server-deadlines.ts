import type { DeadlineHint, McpClientOptions } from '@plugboard/client';
import type { ConnectConfig, Server } from '@plugboard/contract';
import { shellQuote } from '../../terminal/shell-quote.js';
import type { Deadlines } from '../../settings/settings.js';

const MS_PER_SECOND = 1000;

const ms = (seconds: number | null | undefined, otherwise: number): number =>
  seconds === null || seconds === undefined ? otherwise : Math.round(seconds * MS_PER_SECOND);

/** The deadlines of one server: its own where it has some, else those of the hub. */
export const deadlinesOf = (
  { deadlines }: Pick<ConnectConfig, 'deadlines'>,
  hub: Deadlines,
): NonNullable<McpClientOptions['deadlines']> => ({
  connectMs: ms(deadlines?.connect, hub.connectMs),
  listMs: ms(deadlines?.list, hub.listMs),
  callMs: ms(deadlines?.call, hub.callMs),
  toolMs: Object.fromEntries(
    Object.entries(deadlines?.tools ?? {}).map(([name, seconds]) => [name, ms(seconds, hub.callMs)]),
  ),
});

/** Which setting ended a request, and how it is changed. */
export const deadlineHint =
  ({ id, server_name: name, config }: Server): DeadlineHint =>
  (kind, tool) => {
    const server = shellQuote([name]);
    const own = tool !== undefined && Object.hasOwn(config.deadlines?.tools ?? {}, tool);
    const setting = own ? `deadlines.tools.${tool}` : `deadlines.${kind}`;
    const forTool =
      tool === undefined
        ? ''
        : `, or for this tool: plugboard set ${server} --tool-deadline ${shellQuote([`${tool}=300`])}`;
    const change = own
      ? `plugboard set ${server} --tool-deadline ${shellQuote([`${tool}=300`])}`
      : `plugboard set ${server} --deadline ${kind}=300${forTool}`;
    const advice = `The setting ${setting} of "${name}" ended it. If the server is slow and does not hang, give it more seconds`;
    const wanted = JSON.stringify({ config: { deadlines: own ? { tools: { [tool]: 300 } } : { [kind]: 300 } } });
    return { api: `${advice}: PATCH /v1/mcp-servers/${id} with ${wanted}`, cli: `${advice}: ${change}` };
  };
