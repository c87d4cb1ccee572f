import { LineConnection } from '../connection/line-connection.js';
import { Mailbox } from '../connection/mailbox.js';
import { messagesIn, type JsonObject } from '../connection/json.js';
import { Unreachable } from '../connection/no-answer.js';
import type { Channel } from './channel.js';
import { isMessage } from './envelope.js';
import type { Link } from './link.js';

/** Starts the server; its lines are whatever it writes. */
export const openLines = (link: Link): LineConnection => {
  if (link.place.transport !== 'stdio') throw new Unreachable('The target is not a program.');
  return new LineConnection(link.place.launch(link.place.program), link);
};

/** The messages of a stdio server. Lines that are none stay in `lines`. */
export const stdioChannel = (link: Link): Channel & { readonly lines: LineConnection } => {
  const lines = openLines(link);
  const inbox = new Mailbox<JsonObject>();
  const starts: number[] = [];
  let seen = 0;
  lines.lines.subscribe(
    (line) => {
      seen += 1;
      for (const message of line.message === undefined ? messagesIn(line.text) : [line.message]) {
        if (!isMessage(message)) continue;
        starts.push(seen - 1);
        inbox.put(message);
      }
    },
    (why) => inbox.end(why),
  );
  return {
    transport: 'stdio',
    connection: lines.connection,
    inbox,
    lines,
    textSince: (position, isForeign = () => false) =>
      lines.lines.items
        .slice(position === 0 ? 0 : (starts[position - 1] ?? 0) + 1)
        .filter(({ message }) => message === undefined || !isForeign(message))
        .map((line) => line.text)
        .join('\n'),
    post: async (text) => {
      lines.writeLine(text);
      return undefined;
    },
    write: (data) => lines.write(data),
    get notStarted() {
      return lines.exit?.error;
    },
    get death() {
      return lines.death;
    },
    recipe: (sent) => ({ kind: 'stdio', lines: sent }),
    close: () => lines.close(),
  };
};
