import { setMaxListeners } from 'node:events';
import type { CheckAggregatedServer, CheckEra, CheckTransport, ToolDefinition } from '@plugboard/contract';
import { lintServer } from '@plugboard/schema';
import { openBytes, type ByteConnection } from '../connection/byte-connection.js';
import { openHttpExchange, requestText, type HttpExchange } from '../connection/http-exchange.js';
import type { HttpRequest } from '../connection/http-request.js';
import { isObject, tryJson, type JsonObject } from '../connection/json.js';
import type { Line, LineConnection } from '../connection/line-connection.js';
import { Unreachable } from '../connection/no-answer.js';
import type { OwnTime } from '../connection/own-time.js';
import { Transcript } from '../connection/transcript.js';
import type { ServerFacts } from '../discovery/server-facts.js';
import type { Observations } from '../session/observations.js';
import { describe, type Answer, type Reply } from '../session/answer.js';
import { firstAnswer } from '../session/first-answer.js';
import { BASE_HEADERS, changedHeaders } from '../session/http-headers.js';
import type { Link } from '../session/link.js';
import { openSession } from '../session/open-session.js';
import type { RequestOptions, Session, SessionOptions } from '../session/session.js';
import { httpSettings } from '../session/sse-channel.js';
import { openLines } from '../session/stdio-channel.js';
import type { Death } from '../session/death.js';
import type { CheckTarget } from '../target/target.js';
import type { Silence } from '../session/silences.js';
import { readList, toListedTool } from './lists.js';
import { parameterHeaders } from './parameter-headers.js';
import { decidePrompt, decideTool, type CallDecision } from '../calls/call-policy.js';
import type { Memory } from './memory.js';
import type { CallablePrompt, Probe, RawRequest } from './probe.js';
import type { CallableTool, ListedTool } from '../calls/tool.js';
import type { RunState } from './run-state.js';
import { toolsBehind } from './tools-behind.js';

export interface ProbeOptions {
  /** From the second on, every conversation uses a new process, and nothing is known from the tries before. Default: 0. */
  readonly attempt?: number;
  /** What the check looks back at; default: everything that was observed in the run. */
  readonly observations?: Observations | undefined;
  /** The time that the check may use; controls do not count. */
  readonly time?: OwnTime;
}

/** What a server says in a conversation that it refused to open shows nothing about a rule: it may serve one client only. */
const demandOpen = ({ opening }: Session): void => {
  if (opening.result !== undefined) return;
  const { method } = opening.request;
  throw new Unreachable(
    `Another conversation could not be opened: ${String(method)} came back with ${describe(opening)}.`,
    'a server that serves several clients',
  );
};

/** The probe of one check: remembers what was opened and used. */
export class RunProbe implements Probe {
  readonly era: CheckEra;
  readonly signal: AbortSignal;
  /** The connections that carried something for this check. */
  readonly connections = new Set<number>();
  readonly #run: RunState;
  readonly #link: Link;
  readonly #closers: (() => Promise<void> | void)[] = [];
  readonly #attempt: number;
  readonly #lookedAt: Observations;
  readonly #sessions: Session[] = [];
  #died = false;
  #reused = false;
  /** How many shared results are being worked out. */
  #findings = 0;

  constructor(run: RunState, era: CheckEra, signal: AbortSignal, options: ProbeOptions = {}) {
    const { attempt = 0, observations = run.link.observations, time } = options;
    this.#run = run;
    this.#attempt = attempt;
    this.#lookedAt = observations;
    const { startControl } = run.link;
    const aside = startControl === undefined || time === undefined ? startControl : () => time.aside(startControl);
    this.#link = { ...run.link, signal, startControl: aside, onDeath: (death) => this.#reportDeath(death) };
    this.era = era;
    this.signal = signal;
    // A check may wait for many answers at once, each with a listener of its own.
    setMaxListeners(0, signal, run.link.signal);
  }

  /** Whether a process that this check started ended by itself. */
  get died(): boolean {
    return this.#died;
  }

  /** Whether it spoke to a process that another check had used before. */
  get reused(): boolean {
    return this.#reused;
  }

  get isSecondTry(): boolean {
    return this.#attempt > 0;
  }

  get transport(): CheckTransport {
    return this.#link.place.transport;
  }

  get target(): CheckTarget {
    return this.#run.target;
  }

  get facts(): ServerFacts {
    return this.#run.facts;
  }

  get observations(): Observations {
    return this.#lookedAt;
  }

  get oracle(): RunState['oracle'] {
    return this.#run.oracle;
  }

  get seed(): number {
    return this.#run.seed;
  }

  get intrusive(): boolean {
    return this.target.tier === 'intrusive';
  }

  get url(): string | undefined {
    return this.#link.place.transport === 'stdio' ? undefined : this.#link.place.url;
  }

  session(era: CheckEra = this.era): Session {
    const session = this.#memory.sessions.get(era) ?? this.facts.sessions[era];
    if (session === undefined) throw new Unreachable(`The server does not speak the ${era} era.`);
    this.connections.add(session.connection);
    return session;
  }

  async open(options: Partial<SessionOptions> = {}): Promise<Session> {
    if (this.#canShare(options)) {
      await this.#turn();
      this.#reused = true;
      return this.session();
    }
    const session = await this.#opened({ era: this.era, ...options });
    this.#closers.push(() => session.close());
    this.#sessions.push(session);
    this.connections.add(session.connection);
    if (options.unopened !== true && options.mayFail !== true) demandOpen(session);
    return session;
  }

  async http(request: RawRequest): Promise<Reply> {
    const asked = this.#asked(request);
    const secret = request.confidential === true;
    const link = secret ? { ...this.#link, transcript: new Transcript() } : this.#link;
    const http = await openHttpExchange(asked, httpSettings(link));
    if (!secret) this.connections.add(http.connection);
    try {
      const body = await http.whole();
      const parsed = http.isStream ? http.events.items.map((event) => tryJson(event.data)) : [tryJson(body)].flat();
      return {
        messages: parsed.filter(isObject),
        http: { status: http.status, headers: http.headers, body },
        exchange: {
          sent: requestText(asked),
          received: `HTTP ${http.status} ${http.headers['content-type'] ?? ''}\n${body}`.slice(0, 8_192),
          connection: http.connection,
          recipe: {
            kind: 'http',
            method: asked.method,
            url: asked.url,
            headers: asked.headers,
            body: typeof asked.body === 'string' ? asked.body : undefined,
            opening: this.#openingOf(asked),
          },
        },
      };
    } finally {
      http.close();
    }
  }

  async stream(request: RawRequest): Promise<HttpExchange> {
    const http = await openHttpExchange(this.#asked(request), httpSettings(this.#link));
    this.connections.add(http.connection);
    this.#closers.push(() => http.close());
    return http;
  }

  async bytes(): Promise<ByteConnection> {
    const bytes = await openBytes(this.#endpoint(), httpSettings(this.#link));
    this.connections.add(bytes.connection);
    this.#closers.push(() => bytes.close());
    return bytes;
  }

  spawn(): LineConnection {
    const lines = openLines(this.#link);
    this.connections.add(lines.connection);
    this.#closers.push(() => lines.close());
    return lines;
  }

  async firstLine<R>(
    { lines }: LineConnection,
    pick: (line: Line) => R | undefined,
    ms = this.#link.budgets.startMs,
  ): Promise<R | undefined> {
    return await firstAnswer(this.#link, lines, pick, { ms, what: 'answer of the process', signal: this.signal });
  }

  async tools(): Promise<readonly ListedTool[]> {
    return (await this.#list('tools/list', 'tools')).map(toListedTool);
  }

  resources(): Promise<readonly JsonObject[]> {
    return this.#list('resources/list', 'resources');
  }

  resourceTemplates(): Promise<readonly JsonObject[]> {
    return this.#list('resources/templates/list', 'resourceTemplates');
  }

  prompts(): Promise<readonly JsonObject[]> {
    return this.#list('prompts/list', 'prompts');
  }

  decisions(): Promise<readonly (readonly [ListedTool, CallDecision])[]> {
    return this.once('decisions', async () => {
      const tools = await this.tools();
      const definitions = tools.map(({ definition }) => definition as unknown as ToolDefinition);
      const lint = lintServer({ tools: definitions, instructions: undefined, capabilities: {} });
      return tools.map((tool) => {
        const decision = decideTool(tool, this.target, lint);
        this.#run.ledger.decided('tool', tool.name, decision);
        return [tool, decision] as const;
      });
    });
  }

  async promptDecisions(): Promise<readonly (readonly [JsonObject, CallDecision])[]> {
    return (await this.prompts()).map((prompt) => {
      const decision = decidePrompt(prompt, this.target);
      this.#run.ledger.decided('prompt', String(prompt['name']), decision);
      return [prompt, decision] as const;
    });
  }

  async unserved(uris: readonly string[]): Promise<readonly string[]> {
    await this.resources();
    await this.resourceTemplates();
    return uris.filter((uri) => this.#run.ledger.mayRead(uri));
  }

  async callable(): Promise<readonly CallableTool[]> {
    return (await this.#permitted()).filter(({ free }) => free);
  }

  samplable(): Promise<readonly CallableTool[]> {
    return this.#permitted();
  }

  async gettable(): Promise<readonly CallablePrompt[]> {
    return (await this.promptDecisions()).flatMap(([prompt, decision]) =>
      decision.may ? [{ prompt, free: decision.free, arguments: decision.arguments[0] ?? {} }] : [],
    );
  }

  async call(session: Session, tool: ListedTool, args: JsonObject, options: RequestOptions = {}): Promise<Answer> {
    const known = (await this.decisions()).some(([{ name }]) => name === tool.name);
    if (!known) throw new Error(`The tool ${tool.name} is not listed any more.`);
    const mirrored = session.era === 'modern' ? parameterHeaders(tool.inputSchema, args) : {};
    const headers = { ...mirrored, ...options.headers };
    return await session.request('tools/call', { name: tool.name, arguments: args }, { ...options, headers });
  }

  toolsBehind(server: CheckAggregatedServer): Promise<readonly string[]> {
    return toolsBehind(this.#link, server);
  }

  once<T>(name: string, findOut: () => Promise<T>, { isKept = false } = {}): Promise<T> {
    const key = `${this.era} ${name}`;
    const memory = isKept ? this.#run.memories.of(0) : this.#memory;
    const known = memory.known.get(key) ?? this.#found(findOut);
    memory.known.set(key, known);
    return known as Promise<T>;
  }

  silences(): readonly Silence[] {
    return this.#run.silences.all;
  }

  async deaths(): Promise<readonly Death[]> {
    await this.#run.pulse.feel();
    return this.#run.pulse.deaths;
  }

  /** Closes whatever the check left open. */
  async release(): Promise<void> {
    await Promise.allSettled(this.#closers.map(async (close) => await close()));
  }

  get #memory(): Memory {
    return this.#run.memories.of(this.#attempt);
  }

  /** What many checks judge comes from a process that none of them has used. */
  async #found<T>(findOut: () => Promise<T>): Promise<T> {
    this.#findings += 1;
    try {
      return await findOut();
    } finally {
      this.#findings -= 1;
    }
  }

  /**
   * A smoke run is to take hardly longer than the start of the server, so a check that wants an ordinary conversation speaks
   * in the one that is open. What it finds broken there counts only when a fresh process shows the same.
   */
  #canShare(options: Partial<SessionOptions>): boolean {
    const { tier, only } = this.target;
    const isPlain = Object.keys(options).length === 0;
    return isPlain && !this.isSecondTry && tier === 'smoke' && only.length === 0 && this.transport === 'stdio';
  }

  /** Waits until no other check speaks in the shared conversation as if it were its own. Ends with the check. */
  async #turn(): Promise<void> {
    const before = this.#run.turns.get(this.era) ?? Promise.resolve();
    const mine = new Promise<void>((resolve) => void this.#closers.push(() => resolve()));
    this.#run.turns.set(
      this.era,
      before.then(() => mine),
    );
    await before;
  }

  async #opened(options: SessionOptions): Promise<Session> {
    const { pool } = this.#run;
    if (pool === undefined) return await openSession(this.#link, options);
    const fresh = this.isSecondTry || this.#findings > 0 || options.fresh === true;
    const { session, reused } = await pool.open(this.#link, { ...options, fresh });
    this.#reused ||= reused;
    return session;
  }

  async #permitted(): Promise<readonly CallableTool[]> {
    return (await this.decisions()).flatMap(([tool, decision]) =>
      decision.may ? [{ ...tool, arguments: decision.arguments, free: decision.free }] : [],
    );
  }

  #reportDeath(death: Death): void {
    this.#died = true;
    this.#run.pulse.report(death);
  }

  #asked({ method = 'POST', headers, body, url, usual = true, confidential }: RawRequest): HttpRequest {
    const { place } = this.#link;
    const own = place.transport === 'stdio' || confidential === true ? {} : place.headers;
    const base = usual ? { ...BASE_HEADERS, ...own } : own;
    const all = changedHeaders(base, headers);
    return { method, url: url ?? this.#endpoint(), headers: all, ...(body === undefined ? {} : { body }) };
  }

  /** The request that opened the session of this one. Without it, the same cannot be sent again. */
  #openingOf({ headers }: HttpRequest): string | undefined {
    const id = headers['mcp-session-id'];
    const shared = [...this.#memory.sessions.values(), ...Object.values(this.facts.sessions)];
    const sessions = [...this.#sessions, ...shared];
    const owner = id === undefined ? undefined : sessions.find(({ sessionId }) => sessionId === id);
    return owner === undefined ? undefined : JSON.stringify(owner.opening.request);
  }

  #endpoint(): string {
    if (this.url === undefined) throw new Unreachable('The target is not a URL.');
    return this.url;
  }

  #list(method: string, key: string): Promise<readonly JsonObject[]> {
    const name = `${this.era} ${method}`;
    const { lists } = this.#memory;
    const known = lists.get(name);
    if (known !== undefined) return known;
    const read = readList(this.session(), method, key).then((elements) => {
      this.#run.ledger.listed(method, elements);
      return elements;
    });
    lists.set(name, read);
    return read;
  }
}
