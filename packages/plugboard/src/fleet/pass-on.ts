import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http';
import type { Socket } from 'node:net';
import { type HttpExchange, type RequestIds, requestIdsIn } from '@plugboard/gateway';
import { EventBoundary } from './event-boundary.js';
import { CLIENT_HEADER, LEASE_HEADER, LOCAL_HEADER, PROOF_HEADER } from './peer-proof.js';
import type { Pulse } from './pulse.js';
import { requestsSent } from './sent-requests.js';
import { tellAmbiguous } from './tell-ambiguous.js';

/**
 * `passed`: the other process answered, or the caller was told what happened. `refused`: the other process does not serve
 * it; nothing was executed. `gone`: nobody listens there. `unreachable`: nobody knows whether somebody does.
 */
export type PassOutcome = 'passed' | 'refused' | 'gone' | 'unreachable';

export interface Passing extends HttpExchange {
  readonly agent: Agent;
  /** Where the other process listens. */
  readonly url: string;
  /** The proof, and what it proves. */
  readonly headers: OutgoingHttpHeaders;
  /** The body, where it was read already. */
  readonly body?: Buffer | undefined;
  /** Of the other process. */
  readonly pulse: Pulse;
  /** Told the connection on which the other process answers. */
  readonly onAnswered?: ((socket: Socket) => void) | undefined;
}

/** The status by which a process refuses what it does not serve. */
export const NOT_HERE = 421;
/** How long the other process may take to accept the request. */
const ACCEPT_MS = 3000;
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
]);

/** What processes of the fleet tell each other. Of a caller they mean nothing. */
const OF_THE_CHANNEL: readonly string[] = [PROOF_HEADER, LOCAL_HEADER, LEASE_HEADER, CLIENT_HEADER];

/** By their names in lower case. */
export const isOfConnection = (name: string): boolean => OF_ONE_CONNECTION.has(name);
export const isOfChannel = (name: string): boolean => OF_THE_CHANNEL.includes(name);

const withoutChannel = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders => {
  for (const name of OF_THE_CHANNEL) delete headers[name];
  return headers;
};

/** The headers of a message without those that are about its connection. */
export const endToEnd = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): OutgoingHttpHeaders => {
  const headers: Record<string, string | string[]> = {};
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    if (isOfConnection(name)) continue;
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
};

interface RelayedAnswer {
  readonly boundary: EventBoundary;
  /** Nothing more of it is passed on. */
  readonly stop: () => void;
}

const relayAnswer = (answer: IncomingMessage, { response }: HttpExchange, onLost: () => void): RelayedAnswer => {
  const headers = endToEnd(answer);
  const boundary = new EventBoundary(headers['content-type']);
  response.writeHead(answer.statusCode ?? 502, headers);
  response.flushHeaders();
  answer.on('error', onLost);
  answer.on('aborted', onLost);
  answer.on('data', (chunk: Buffer) => boundary.note(chunk));
  answer.pipe(response);
  return { boundary, stop: () => void answer.unpipe(response) };
};

/** Sends the body once the other process has said that it takes it. What is returned finds the requests that were in it. */
const sendBody = (sent: ClientRequest, { request, body }: Passing): (() => RequestIds | undefined) => {
  if (body !== undefined) {
    sent.end(body);
    return () => requestIdsIn(body);
  }
  const requests = requestsSent(request);
  request.pipe(sent);
  return requests;
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A path on this host. Everything else (`//host`, `http://host`) names another host, which nothing here may reach. */
export const isOriginForm = (target: string): boolean => /^\/(?![/\\])/u.test(target);

/**
 * How the end of the body is found. Node writes the body of a GET or DELETE as it is, unless it is told otherwise, and the
 * other process would read what the caller put there as further requests.
 */
const framing = ({ request, body }: Passing): OutgoingHttpHeaders => {
  if (body !== undefined) return { 'content-length': body.length };
  return request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
};

/** Passes a request on to another process, and its answer back. Nothing of the body is sent before that process accepts it. */
export const passOn = (passing: Passing): Promise<PassOutcome> =>
  new Promise((resolve) => {
    const { request, response, agent, url, headers, body, pulse } = passing;
    const path = request.url ?? '/';
    if (!isOriginForm(path)) {
      resolve('refused');
      return;
    }
    const waits = body !== undefined || hasBody(request);
    // The target is never resolved as a URL: it is what a stranger sent.
    const sent = httpRequest(url, {
      agent,
      path,
      method: request.method,
      headers: {
        ...withoutChannel(endToEnd(request)),
        ...framing(passing),
        ...headers,
        ...(waits ? { expect: '100-continue' } : {}),
      },
    });
    let isAccepted = false;
    let requests = (): RequestIds | undefined => undefined;
    let relayed: RelayedAnswer | undefined;
    const lost = (): void => {
      relayed?.stop();
      tellAmbiguous(passing, { requests: requests(), isBetweenEvents: relayed?.boundary.isBetweenEvents === true });
    };
    const deadline = setTimeout(() => sent.destroy(new Error('not accepted in time')), ACCEPT_MS);
    deadline.unref();
    const abandon = (): void => void sent.destroy();
    response.once('close', abandon);
    /** From now on the call is that process's, as long as it runs. */
    const accepted = (): void => {
      clearTimeout(deadline);
      if (isAccepted) return;
      isAccepted = true;
      response.once(
        'close',
        pulse.watch(() => void sent.destroy(new Error('the other process gave no sign of life'))),
      );
    };
    /** The caller goes on with this request. */
    const giveBack = (outcome: PassOutcome): void => {
      response.off('close', abandon);
      resolve(outcome);
    };
    sent.on('continue', () => {
      pulse.heard();
      accepted();
      requests = sendBody(sent, passing);
    });
    sent.on('response', (answer) => {
      pulse.heard();
      clearTimeout(deadline);
      if (!isAccepted && answer.statusCode === NOT_HERE) {
        answer.resume();
        giveBack('refused');
        return;
      }
      accepted();
      passing.onAnswered?.(answer.socket);
      relayed = relayAnswer(answer, passing, lost);
      resolve('passed');
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(deadline);
      if (isAccepted || response.destroyed) {
        lost();
        resolve('passed');
        return;
      }
      giveBack(error.code === 'ECONNREFUSED' ? 'gone' : 'unreachable');
    });
    if (waits) sent.flushHeaders();
    else sent.end();
  });
