import { type ConnectConfig, revealed, sandboxOf } from '@plugboard/contract';
import type { SessionOptions } from './session-options.js';
import { secretsOf } from '../redact/config-secrets.js';
import type { Redact } from '../redact/redaction.js';
import { clientError } from '../error/to-client-error.js';
import { launchProcess } from '../supervisor/launch-process.js';
import { programEnvironment } from '../supervisor/sandbox/program-environment.js';
import { configHeaders } from '../transport/config-headers.js';
import { HttpChannel } from '../transport/http-channel.js';
import { Http1Pool } from '../fast-path/http1/http1-pool.js';
import { createDispatcher, usesProxy } from '../network/http-dispatcher.js';
import { HttpSseTransport } from '../transport/http-sse.js';
import { PostSseTransport } from '../transport/post-sse.js';
import { StdioTransport } from '../transport/stdio.js';
import { StreamableHttpTransport } from '../transport/streamable-http.js';
import { TappedTransport, tappedEvents } from '../transport/tapped-transport.js';
import type { Transport, TransportEvents, TransportKind } from '../transport/transport.js';

type StdioConfig = Extract<ConnectConfig, { mcp_server_type: 'stdio' }>;
type HttpConfig = Exclude<ConnectConfig, { mcp_server_type: 'stdio' }>;

export interface TransportRequest {
  readonly kind: TransportKind;
  readonly events: TransportEvents;
  readonly sessionId?: string | undefined;
}

const revealedValues = (values: StdioConfig['env']): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, revealed(value)]));

/** Builds the transports of one server. Its HTTP connections are shared by all of them until it is closed. */
export class TransportSource {
  readonly #options: SessionOptions;
  readonly #name: string;
  readonly #redact: Redact;
  #channel: HttpChannel | undefined;

  constructor(options: SessionOptions, name: string, redact: Redact) {
    this.#options = options;
    this.#name = name;
    this.#redact = redact;
  }

  create(request: TransportRequest): Transport {
    const { tap } = this.#options;
    if (tap === undefined) return this.#create(request);
    const options = { tap, redact: this.#redact };
    const events = tappedEvents(request.events, request.kind, options);
    return new TappedTransport(this.#create({ ...request, events }), options);
  }

  async close(): Promise<void> {
    const channel = this.#channel;
    this.#channel = undefined;
    await channel?.close();
  }

  #create(request: TransportRequest): Transport {
    const { config } = this.#options;
    return config.mcp_server_type === 'stdio' ? this.#stdio(config, request) : this.#http(config, request);
  }

  #stdio(config: StdioConfig, { events }: TransportRequest): Transport {
    const { environment, launch = launchProcess, launchOptions, secrets } = this.#options;
    const hidden = secretsOf(config, secrets);
    const sandbox = sandboxOf(config.sandbox);
    const inherited = sandbox === undefined ? environment : programEnvironment(environment ?? {}, sandbox);
    const spec = () => ({
      command: config.command,
      args: config.args,
      env: { ...inherited, ...revealedValues(config.env) },
      cwd: config.cwd ?? undefined,
      ...(sandbox === undefined ? {} : { sandbox }),
    });
    return new StdioTransport({
      name: this.#name,
      events,
      launch: (signal) => launch(spec(), { secrets: hidden, ...launchOptions, signal, onQueued: events.onQueued }),
    });
  }

  #http(config: HttpConfig, { kind, events, sessionId }: TransportRequest): Transport {
    const url = this.#urlOf(config);
    const channel = this.#httpChannel(config, url);
    const shared = { channel, url, events, redact: this.#redact };
    if (this.#options.profile === 'post-sse') return new PostSseTransport(shared);
    return kind === 'sse'
      ? new HttpSseTransport(shared)
      : new StreamableHttpTransport({ ...shared, sessionId, keepSession: this.#options.keepSession });
  }

  #urlOf(config: HttpConfig): URL {
    const given = config.server_url;
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
    throw clientError(
      'INVALID_ARGUMENT',
      given === ''
        ? `The server "${this.#name}" has no URL configured.`
        : `The URL of the server "${this.#name}" is not an http or https URL.`,
      { hint: 'Set server_url to the address of its MCP endpoint.' },
    );
  }

  #httpChannel(config: HttpConfig, url: URL): HttpChannel {
    const { network = {}, credentials, memory } = this.#options;
    const build = this.#options.createDispatcher ?? createDispatcher;
    const isStraight = this.#options.createDispatcher === undefined && !usesProxy(url, network);
    this.#channel ??= new HttpChannel({
      dispatcher: build(url, network),
      renewDispatcher: () => build(url, network),
      http1: isStraight ? new Http1Pool({ url, network }) : undefined,
      headers: configHeaders(config),
      credentials,
      room: memory && (() => memory.room(`server ${this.#name}`)),
    });
    return this.#channel;
  }
}
