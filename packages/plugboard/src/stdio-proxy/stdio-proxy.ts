import { PlugboardError, toPlugboardError } from '@plugboard/contract';
import {
  cancelledId,
  type LineConversation,
  type LineWriter,
  RequestsUnderWay,
  serveLines,
  type StdioStreams,
} from '@plugboard/gateway';
import {
  buildFailure,
  buildNotification,
  classifyMessage,
  findRevision,
  isJsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  readModernMeta,
  type RequestId,
  RPC_CODE,
} from '@plugboard/wire';
import { neverLeft } from './hub-address.js';
import { HubEndpoint, type HubEndpointOptions } from './hub-endpoint.js';
import { LegacyChannel } from './legacy-channel.js';
import { ParamFields } from './param-fields.js';
import { readAnswer } from './read-answer.js';
import { unknownFate } from './unknown-fate.js';

export interface StdioProxyOptions extends HubEndpointOptions {
  readonly lines: LineWriter;
}

const INITIALIZED = 'notifications/initialized';

const discard = async (response: Response): Promise<void> => {
  await response.body?.cancel();
};

interface HubMessage {
  readonly text: string;
  /** It is the answer; else something that came before it. */
  readonly isLast: boolean;
}

/**
 * What the hub said about a request, as the client of a pipe can tell whose answer it is. A refusal of the hub may be no
 * message of the protocol, or name no request; over HTTP that did not matter.
 */
const messageAbout = (id: RequestId, text: string): HubMessage => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return { text, isLast: true };
  if (value['jsonrpc'] !== undefined) {
    return {
      text: value['id'] === null ? JSON.stringify({ ...value, id }) : text,
      isLast: value['method'] === undefined,
    };
  }
  const told = isJsonObject(value['error']) ? value['error'] : {};
  const message = typeof told['message'] === 'string' ? told['message'] : 'The hub refused the request.';
  const failure = buildFailure(id, { code: RPC_CODE.internalError, message, data: told });
  return { text: JSON.stringify(failure), isLast: true };
};

/** Carries the messages of one stdio client to a hub that runs already, and the hub's back. */
export class StdioProxy implements LineConversation {
  readonly #hub: HubEndpoint;
  readonly #lines: LineWriter;
  readonly #fields = new ParamFields();
  /** Over HTTP a modern client takes a request back by hanging up, a legacy one by a message. */
  readonly #modern = new RequestsUnderWay();
  readonly #legacy = new RequestsUnderWay();
  /** Legacy requests that the hub may leave without an answer. */
  readonly #takenBack = new Set<RequestId>();
  #greeting: JsonRpcRequest | undefined;
  #channel: LegacyChannel | undefined;
  #reopening: Promise<void> | undefined;

  constructor(options: StdioProxyOptions) {
    this.#hub = new HubEndpoint(options);
    this.#lines = options.lines;
  }

  take(line: string): readonly Promise<void>[] {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#say(buildFailure(null, { code: RPC_CODE.parseError, message: 'This line is not JSON.' }));
      return [];
    }
    return this.#messagesIn(value).map((message) => this.#take(message));
  }

  /** Ends the session, too, if there is one. */
  async end(): Promise<void> {
    this.#modern.cancelAll();
    this.#legacy.cancelAll();
    this.#channel?.close();
    await this.#hub.endSession();
  }

  /** A batch is taken apart where the revision has batches; elsewhere it is no message. */
  #messagesIn(value: unknown): readonly unknown[] {
    const batching = findRevision(this.#hub.version)?.features.batching === true;
    return batching && Array.isArray(value) && value.length > 0 ? value : [value];
  }

  async #take(value: unknown): Promise<void> {
    const classified = classifyMessage(value);
    switch (classified.kind) {
      case 'request':
        await this.#ask(classified.message);
        return;
      case 'notification':
        await this.#notify(classified.message);
        return;
      case 'result':
      case 'failure':
        await this.#hub.post(classified.message).then(discard, () => undefined);
        return;
      case 'invalid':
        this.#say(buildFailure(null, { code: RPC_CODE.invalidRequest, message: classified.reason }));
    }
  }

  async #notify(message: JsonRpcNotification): Promise<void> {
    if (this.#modern.cancelBy(message)) return;
    const takenBack = cancelledId(message);
    if (takenBack !== undefined && this.#legacy.has(takenBack)) this.#takenBack.add(takenBack);
    await this.#hub.post(message).then(discard, () => undefined);
    if (message.method === INITIALIZED) void this.#channel?.follow();
  }

  async #ask(request: JsonRpcRequest): Promise<void> {
    const isModern = readModernMeta(request.params)?.protocolVersion !== undefined;
    const { signal, end } = (isModern ? this.#modern : this.#legacy).begin(request.id);
    if (request.method === 'initialize') this.#greeting = request;
    try {
      if (await this.#answer(request, signal)) return;
      await this.#fields.learn(this.#hub, request);
      await this.#answer(request, signal);
    } catch (thrown) {
      if (signal.aborted) return;
      const error = toPlugboardError(thrown);
      this.#say(
        buildFailure(request.id, { code: RPC_CODE.internalError, message: error.message, data: error.toJSON() }),
      );
    } finally {
      end();
      this.#takenBack.delete(request.id);
    }
  }

  /** False when the hub wants fields that can be learnt: then the request was not executed. */
  async #answer(request: JsonRpcRequest, signal: AbortSignal): Promise<boolean> {
    const response = await this.#healed(request, signal);
    const isGreeting = request.method === 'initialize';
    if (isGreeting && response.ok) this.#open(response);
    let [complete, answered] = [true, false];
    await readAnswer(response, {
      signal,
      pace: this.#lines.drained,
      onMessage: (text) => {
        if (isGreeting) this.#agree(text);
        const message = messageAbout(request.id, text);
        if (message.isLast) answered = true;
        if (this.#lacksFields(request, text)) complete = false;
        else this.#lines.write(message.text);
      },
    });
    if (!answered && !this.#takenBack.has(request.id)) throw unknownFate();
    return complete;
  }

  /** Once: fields that were learnt and are still wrong are the client's to hear of. */
  #lacksFields(request: JsonRpcRequest, text: string): boolean {
    return Object.keys(this.#fields.of(request)).length === 0 && this.#fields.areMissing(request, text);
  }

  /** The hub may have been restarted since: then it is looked for again, and the session is opened again. */
  async #healed(request: JsonRpcRequest, signal: AbortSignal): Promise<Response> {
    const post = (): Promise<Response> => this.#hub.post(request, { signal, fields: this.#fields.of(request) });
    const { session } = this.#hub;
    try {
      const response = await post();
      if (response.status !== 404 || session === undefined || request.method === 'initialize') return response;
      await discard(response);
    } catch (thrown) {
      if (signal.aborted || thrown instanceof PlugboardError) throw thrown;
      if (!neverLeft(thrown)) throw unknownFate();
      this.#hub.lookAgain();
    }
    if (session !== undefined && this.#hub.session === session) await this.#reopen();
    return post();
  }

  #open(response: Response): void {
    this.#channel?.close();
    this.#hub.session = response.headers.get('mcp-session-id') ?? undefined;
    this.#channel = new LegacyChannel({
      onMessage: (text) => this.#lines.write(text),
      pace: this.#lines.drained,
      open: (fields, signal) => this.#hub.listen(fields, signal),
    });
  }

  #agree(text: string): void {
    const value: unknown = JSON.parse(text);
    const result = isJsonObject(value) && isJsonObject(value['result']) ? value['result'] : {};
    const version = result['protocolVersion'];
    if (typeof version === 'string' && findRevision(version) !== undefined) this.#hub.version = version;
  }

  /** Opens a new session with the hub on behalf of the client, once for all requests that need it. */
  #reopen(): Promise<void> {
    this.#reopening ??= this.#greetAgain().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  async #greetAgain(): Promise<void> {
    if (this.#greeting === undefined) return;
    this.#hub.session = undefined;
    const response = await this.#hub.post(this.#greeting);
    this.#open(response);
    await response.text();
    await this.#hub.post(buildNotification(INITIALIZED)).then(discard);
    void this.#channel?.follow();
  }

  #say(message: object): void {
    this.#lines.write(JSON.stringify(message));
  }
}

interface RunProxyOptions extends HubEndpointOptions, StdioStreams {
  readonly signal: AbortSignal;
}

/** Serves the client at the other end of two pipes with a running hub, until one of them ends or the signal aborts. */
export const runProxy = ({ input, output, signal, ...options }: RunProxyOptions): Promise<void> =>
  serveLines({ input, output }, (lines) => new StdioProxy({ ...options, lines }), signal);
