import { PlugboardError } from '@plugboard/contract';
import { findRevision, type JsonRpcNotification, LATEST_LEGACY, readModernMeta } from '@plugboard/wire';
import type { FindHub, HubAddress } from './hub-address.js';

export type Fields = Readonly<Record<string, string>>;

export interface HubEndpointOptions {
  readonly findHub: FindHub;
  /** The endpoint that is spoken to, such as `/mcp`. */
  readonly path: string;
  readonly fetch: typeof fetch;
}

export interface PostOptions {
  readonly signal?: AbortSignal | undefined;
  readonly fields?: Fields | undefined;
}

const ACCEPT: Fields = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const GOODBYE_MS = 3000;

const noHub = (): PlugboardError =>
  new PlugboardError('HUB_UNREACHABLE', 'The hub stopped, and no other hub runs on this home.', {
    hint: 'Start it with `plugboard serve`, then try again.',
  });

/** One endpoint of a hub, over Streamable HTTP, with the fields that each era wants. */
export class HubEndpoint {
  readonly #options: HubEndpointOptions;
  #hub: HubAddress | undefined;
  /** The legacy session that messages belong to, and the version that it agreed on. */
  session: string | undefined;
  version: string = LATEST_LEGACY;

  constructor(options: HubEndpointOptions) {
    this.#options = options;
  }

  /** The hub may be somewhere else by now. */
  lookAgain(): void {
    this.#hub = undefined;
  }

  async post(message: object, { signal, fields = {} }: PostOptions = {}): Promise<Response> {
    const url = await this.#url();
    return this.#options.fetch(url, {
      method: 'POST',
      headers: { ...ACCEPT, ...this.#fieldsFor(message), ...fields },
      body: JSON.stringify(message),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** The stream of the session. */
  async listen(fields: Fields, signal: AbortSignal): Promise<Response> {
    const url = await this.#url();
    const headers = { ...this.#sessionFields(), accept: 'text/event-stream', ...fields };
    return this.#options.fetch(url, { headers, signal });
  }

  async endSession(): Promise<void> {
    if (this.session === undefined) return;
    const options = { method: 'DELETE', headers: this.#sessionFields(), signal: AbortSignal.timeout(GOODBYE_MS) };
    // A hub that is gone has no session either.
    await this.#options.fetch(await this.#url(), options).catch(() => undefined);
    this.session = undefined;
  }

  async #url(): Promise<string> {
    this.#hub ??= await this.#options.findHub();
    if (this.#hub === undefined) throw noHub();
    return this.#hub.url + this.#options.path;
  }

  #fieldsFor(message: object): Fields {
    const call = 'method' in message ? (message as JsonRpcNotification) : undefined;
    const modern = call === undefined ? undefined : readModernMeta(call.params)?.protocolVersion;
    if (call === undefined || modern === undefined) {
      return call?.method === 'initialize' ? this.#keyField() : this.#sessionFields();
    }
    return { ...this.#keyField(), ...(findRevision(modern)?.httpHeaders(call) ?? { 'mcp-protocol-version': modern }) };
  }

  #sessionFields(): Fields {
    if (this.session === undefined) return this.#keyField();
    const named = findRevision(this.version)?.features.protocolVersionHeader === true;
    return {
      ...this.#keyField(),
      'mcp-session-id': this.session,
      ...(named ? { 'mcp-protocol-version': this.version } : {}),
    };
  }

  #keyField(): Fields {
    const key = this.#hub?.key;
    return key === undefined ? {} : { authorization: `Bearer ${key}` };
  }
}
