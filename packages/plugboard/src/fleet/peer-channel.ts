import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlugboardError } from '@plugboard/contract';
import { NOT_HERE } from './pass-on.js';
import { CLIENT_HEADER, LEASE_HEADER, LOCAL_HEADER, PROOF_HEADER, readClient, readProof } from './peer-proof.js';
import { UsedNonces, UsedProofs } from './used-proofs.js';

export interface PeerChannelOptions {
  readonly key: Uint8Array;
  /** The id of this process. */
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** Is there a member with this id? Proofs of an older form are accepted from members only. */
  readonly isMember: (id: string) => Promise<boolean>;
  /** Replaces the proof that a caller gave to the process that passed its request on. */
  readonly localKey: string;
  /** Does this process serve the request, under the lease that it names? */
  readonly serves: (request: IncomingMessage, lease: string | undefined) => Promise<boolean>;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface PeerChannel {
  readonly port: number;
  /** Was the request passed on by another process? Then it is answered here. */
  wasPassedOn(request: IncomingMessage): boolean;
  /**
   * Where such a request came from. `unknown` when the process that passed it on does not say: its own address is not that of
   * the client. Undefined for a request that came here directly.
   */
  clientOf(request: IncomingMessage): string | undefined;
  /** From now on nothing is accepted. */
  refuseNew(): void;
  close(): Promise<void>;
}

const FORBIDDEN = 403;
const UNKNOWN = 'unknown';
/** Strangers may reach the port. They get no more than this many connections, and little time to say who they are. */
const MAX_CONNECTIONS = 1_000;
const HEAD_MS = 5_000;
const OWN_HEADERS = [PROOF_HEADER, LOCAL_HEADER, LEASE_HEADER, CLIENT_HEADER, 'expect'] as const;

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const refuse = (response: ServerResponse, status: number): void => {
  // The body, if there is one, was not sent and will not be.
  const close = status === FORBIDDEN ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-length': 0, ...close }).end();
};

/** Where other processes of the fleet pass requests on to. It answers nobody who does not have the key. */
export const openPeerChannel = async (options: PeerChannelOptions): Promise<PeerChannel> => {
  const { key, id, host, isMember, localKey, serves, handle } = options;
  /** Each with the address of its client. */
  const passed = new WeakMap<IncomingMessage, string>();
  let isStopping = false;
  const used = new UsedProofs();
  const usedNonces = new UsedNonces();
  const isProven = async ({ headers, method = '', url = '' }: IncomingMessage): Promise<boolean> => {
    const proof = readProof(key, textOf(headers[PROOF_HEADER]), {
      to: id,
      method,
      url,
      isLocal: headers[LOCAL_HEADER] !== undefined,
      lease: textOf(headers[LEASE_HEADER]),
    });
    if (proof === undefined) return false;
    if (proof.number !== undefined) return used.use(proof);
    return usedNonces.use(proof.nonce) && (await isMember(proof.from).catch(() => false));
  };
  /** @param accept asks for the body, where there is one that was not sent yet */
  const take = async (request: IncomingMessage, response: ServerResponse, accept: () => void): Promise<void> => {
    if (!(await isProven(request))) {
      refuse(response, FORBIDDEN);
      return;
    }
    const isOurs = !isStopping && (await serves(request, textOf(request.headers[LEASE_HEADER])).catch(() => false));
    if (response.destroyed) return;
    if (!isOurs) {
      refuse(response, NOT_HERE);
      return;
    }
    if (request.headers[LOCAL_HEADER] !== undefined) request.headers.authorization = `Bearer ${localKey}`;
    const { [PROOF_HEADER]: proof, [CLIENT_HEADER]: client } = request.headers;
    passed.set(request, readClient(key, textOf(proof) ?? '', textOf(client)) ?? UNKNOWN);
    for (const name of OWN_HEADERS) delete request.headers[name];
    accept();
    handle(request, response);
  };
  const server = createServer({
    keepAliveTimeout: 75_000,
    requestTimeout: 0,
    headersTimeout: HEAD_MS,
    connectionsCheckingInterval: HEAD_MS,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (request, response) => void take(request, response, () => undefined));
  server.on('checkContinue', (request, response) => void take(request, response, () => response.writeContinue()));
  server.listen({ port: options.port, host, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new PlugboardError(
      'PORT_IN_USE',
      `The channel for other replicas cannot listen on ${host}:${options.port}.`,
      {
        hint: 'Set fleet.port (PLUGBOARD_FLEET_PORT) to a free port; 0 picks any.',
        cause,
      },
    );
  }
  return {
    port: (server.address() as AddressInfo).port,
    wasPassedOn: (request) => passed.has(request),
    clientOf: (request) => passed.get(request),
    refuseNew: () => {
      isStopping = true;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
