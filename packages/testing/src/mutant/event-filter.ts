import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MessageFilter } from './mutation/filter.js';
import { parseObject } from './mutation/filter.js';
import type { HttpAsked, Mutation } from './mutation/mutation.js';

interface EventRelay {
  readonly from: IncomingMessage;
  readonly to: ServerResponse;
  readonly asked: HttpAsked;
  readonly filter: MessageFilter;
  readonly mutation: Mutation;
  /** Told of each message that goes out. */
  readonly onMessage: (text: string) => void;
  /** The filter of the conversation that an endpoint event names. */
  readonly adopt: (path: string) => MessageFilter;
}

const dataOf = (event: string): string =>
  event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /u, ''))
    .join('\n');

const withData = (event: string, data: string): string => {
  const fields = event.split('\n').filter((line) => line !== '' && !line.startsWith('data:'));
  return `${[...fields, `data: ${data}`].join('\n')}\n\n`;
};

/** Relays server-sent events one by one, each through the mutation. */
export const mutateEvents = async ({
  from,
  to,
  asked,
  filter,
  mutation,
  adopt,
  onMessage,
}: EventRelay): Promise<void> => {
  const along = parseObject(asked.body);
  let current = filter;
  let text = '';
  const put = (event: string): void => {
    const changed = mutation.http?.event?.(event, asked) ?? event;
    if (changed !== '') to.write(changed);
  };
  const take = (event: string): void => {
    const data = dataOf(event);
    if (/^event: endpoint$/mu.test(event)) {
      current = adopt(data);
      current.speak = (message) => put(withData('event: message\n', message));
    }
    if (parseObject(data) === undefined) return put(event);
    for (const message of current.toClient(data, along)) {
      put(message === data ? event : withData(event, message));
      onMessage(message);
    }
  };
  const decoder = new TextDecoder();
  for await (const chunk of from) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      take(text.slice(0, end + 2));
      text = text.slice(end + 2);
    }
  }
  to.end(text);
};
