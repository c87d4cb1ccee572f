import type { CheckTranscriptEntry } from '@plugboard/contract';
import type { HttpRequest } from '../connection/http-request.js';
import type { Transcript } from '../connection/transcript.js';
import type { Exchange, HttpRecipe, Recipe } from '../session/exchange.js';
import { withoutIds } from './without-ids.js';

/** What was sent so long before the last sign of life may well have been on its way still. */
const BEFORE_MS = 1_000;
const MAX_SHOWN = 3;

const REFUSED = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH/u;

interface Contact {
  readonly connection: number;
  readonly at: number;
  readonly sent: string;
  readonly received: string;
  readonly refused: boolean;
}

const SESSION = 'mcp-session-id';

/** The body of the initialize request that opened a session: a server that was started again does not know the session. */
const openingOf = (contacts: readonly Contact[], session: string): string | undefined => {
  const opened = contacts.find(
    ({ sent, received }) => received.includes(`${SESSION}: ${session}\n`) && sent.includes('"method":"initialize"'),
  );
  return opened?.sent.slice(opened.sent.indexOf('\n\n') + 2);
};

const httpRecipe = ({ method, url, headers, body }: HttpRequest, contacts: readonly Contact[]): HttpRecipe => {
  const session = headers[SESSION];
  return {
    kind: 'http',
    method,
    url,
    headers,
    body: typeof body === 'string' ? body : undefined,
    opening: session === undefined ? undefined : openingOf(contacts, session),
  };
};

const contactsOf = (entries: readonly CheckTranscriptEntry[]): readonly Contact[] => {
  const contacts = new Map<number, Contact>();
  for (const { connection, at, direction, text } of entries) {
    const known = contacts.get(connection) ?? { connection, at, sent: '', received: '', refused: false };
    contacts.set(connection, {
      ...known,
      sent: direction === 'sent' ? `${known.sent}${text}` : known.sent,
      received: direction === 'received' ? `${known.received}${text}` : known.received,
      refused: known.refused || (direction === 'note' && REFUSED.test(text)),
    });
  }
  return [...contacts.values()].filter(({ sent, refused }) => sent !== '' && !refused);
};

/** Requests that differ in their session and their id only are one and the same to who repeats them. */
const likenessOf = ({ sent }: Contact): string =>
  withoutIds(sent.replaceAll(new RegExp(`^${SESSION}: .*$`, 'gmu'), ''));

/** The referee ends its sessions when it is done with them: less likely to be the cause than a request. */
const isTidying = ({ sent }: Contact): boolean => sent.startsWith('DELETE ');

/** When the server last said anything. */
export const lastSignOfLife = (transcript: Transcript): number =>
  transcript.entries.findLast(({ direction }) => direction === 'received')?.at ?? 0;

/** The requests that were on their way when a server behind HTTP went away; the last answered one when none was. */
export const lastContact = (transcript: Transcript): Exchange | undefined => {
  const contacts = contactsOf(transcript.entries);
  const alive = lastSignOfLife(transcript);
  const unanswered = contacts.filter(({ received, at }) => received === '' && at >= alive - BEFORE_MS);
  const distinct = [...new Map(unanswered.map((contact) => [likenessOf(contact), contact])).values()];
  const open = distinct.toSorted((one, other) => Number(isTidying(one)) - Number(isTidying(other))).slice(0, MAX_SHOWN);
  const last = open.length > 0 ? open : contacts.slice(-1);
  const [first] = last;
  if (first === undefined) return undefined;
  const requests = last.flatMap(({ connection }) => transcript.requestOf(connection) ?? []);
  const recipe: Recipe | undefined =
    requests.length === 0
      ? undefined
      : { kind: 'several', requests: requests.map((request) => httpRecipe(request, contacts)) };
  return {
    sent: last.map(({ sent }) => sent).join('\n\n'),
    received: last.map(({ received }) => received).join(''),
    connection: first.connection,
    recipe,
  };
};
