import { printableLine } from '../terminal/printable.js';
import type { Style } from '../terminal/style.js';

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string =>
  printableLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** `#7→#41`: the client's id of a request, and the id that its server knows. */
const ids = ({ id, upstream_id: upstream }: Fields): string =>
  upstream === undefined ? `#${text(id)}` : `#${text(id)}→#${text(upstream)}`;

/** `legacy→modern stdio`: the eras on both sides, once when they are the same. */
const eras = ({ era, upstream_era: upstream, transport }: Fields): string => {
  if (upstream === undefined) return text(era);
  return `${era === upstream ? text(era) : `${text(era)}→${text(upstream)}`} ${text(transport)}`;
};

const pathWords = ({ path, obstacle }: Fields): string =>
  obstacle === undefined ? `${text(path)} path` : `${text(path)} path (${text(obstacle)})`;

const PATHS: Readonly<Record<string, string>> = { hub: 'answered here', bridge: 'bridge' };

/** What was decided on the way of a request, after the words that every request has; nothing for one that was not followed. */
export const flowWords = (fields: Fields, style: Style): readonly string[] => {
  const { path, decisions, attempts, session, agent, call_id: callId } = fields;
  if (typeof path !== 'string') return [];
  const words = [
    PATHS[path] ?? pathWords(fields),
    ids(fields),
    eras(fields),
    ...(attempts === undefined ? [] : [`${text(attempts)} attempts`]),
    ...(Array.isArray(decisions) ? decisions.map(text) : []),
    ...(session === undefined ? [] : [`session ${text(session)}`]),
    ...(agent === undefined ? [] : [`agent ${text(agent)}`]),
    `call ${text(callId)}`,
  ];
  return [style.dim(words.join(' · '))];
};

const SIGNS: Readonly<Record<string, string>> = { sent: '→', received: '←' };

export const isMessage = ({ direction, peer, kind }: Fields): boolean =>
  typeof direction === 'string' && typeof peer === 'string' && typeof kind === 'string';

/** `→ files  request tools/call #41  312 B  {"name":"read"}`: a message, seen from the hub. */
export const messageWords = (fields: Fields, style: Style): string => {
  const { direction, server, endpoint, transport, kind, id, method, bytes, body, call_id: callId } = fields;
  const other = server === undefined ? `client (${text(endpoint)})` : text(server);
  const what = [
    text(kind),
    ...(method === undefined ? [] : [text(method)]),
    ...(id === undefined ? [] : [`#${text(id)}`]),
  ];
  return [
    `${SIGNS[String(direction)] ?? '·'} ${style.bold(other)}`,
    what.join(' '),
    ...(body === undefined ? [] : [text(body)]),
    style.dim(
      [`${text(bytes)} B ${text(transport)}`, ...(callId === undefined ? [] : [`call ${text(callId)}`])].join(' · '),
    ),
  ].join('  ');
};
