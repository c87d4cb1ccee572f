import type { JsonObject } from '../../connection/json.js';
import type { Line, LineConnection } from '../../connection/line-connection.js';
import type { Probe } from '../../probe/probe.js';
import { initializeParams, isResponse, noticeMessage, requestMessage } from '../../session/envelope.js';
import type { Exchange } from '../../session/exchange.js';
import { LATEST } from '../../session/revision.js';
import { plainMethod, properRequest } from '../instrument/control-request.js';

/** A conversation by hand with a process of its own: the check decides how the bytes go out. */
export interface Conversation {
  readonly lines: LineConnection;
  /** A proper line that every server answers. */
  readonly plainLine: (id: string, params?: JsonObject) => string;
  /** Writes one request as a line and waits for what answers it. */
  readonly ask: (id: string, method: string, params?: JsonObject) => Promise<JsonObject | undefined>;
  /** Waits for a response with this id; undefined when the process ends before. */
  readonly answerTo: (id: string, ms?: number) => Promise<JsonObject | undefined>;
  /** Evidence: what was sent, and every line since. */
  readonly exchange: (sent: string) => Exchange;
}

/** Starts the server and shakes hands, if the era asks for it. */
export const converse = async (probe: Probe): Promise<Conversation> => {
  const { era } = probe;
  const { budgets } = probe.target;
  const session = { era, revision: LATEST[era] } as const;
  const lines = probe.spawn();
  const preamble: string[] = [];
  const say = (message: JsonObject): void => {
    const text = JSON.stringify(message);
    preamble.push(text);
    lines.writeLine(text);
  };
  const answering =
    (id: string) =>
    ({ message }: Line): JsonObject | undefined =>
      message !== undefined && isResponse(message) && message['id'] === id ? message : undefined;
  const answerTo: Conversation['answerTo'] = async (id, ms = budgets.requestMs) =>
    await lines.lines.until(answering(id), 0, { ms, what: `answer to the request ${id}`, signal: probe.signal });
  if (era === 'legacy') {
    say(requestMessage('open', 'initialize', initializeParams(session)));
    await probe.firstLine(lines, answering('open'));
    say(noticeMessage('notifications/initialized', undefined));
  } else {
    say(properRequest(session, 'open', 'server/discover'));
    await probe.firstLine(lines, answering('open'));
  }
  return {
    lines,
    answerTo,
    plainLine: (id, params) => JSON.stringify(properRequest(session, id, plainMethod(era), params)),
    ask: async (id, method, params) => {
      lines.writeLine(JSON.stringify(properRequest(session, id, method, params)));
      return await answerTo(id);
    },
    exchange: (sent) => ({
      sent,
      received: lines.lines.items
        .map(({ text }) => text)
        .join('\n')
        .slice(0, 8_192),
      connection: lines.connection,
      recipe: { kind: 'stdio', lines: [...preamble, sent] },
    }),
  };
};
