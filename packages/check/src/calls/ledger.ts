import { at, isObject, tryJson, type JsonObject } from '../connection/json.js';
import type { CallDecision } from './call-policy.js';
import { MAX_CALLS, MORE_TO_CONFIRM } from './call-limits.js';
import { CallRefused } from './call-refused.js';
import { couldServe } from './uri-template.js';

const KINDS: Readonly<Record<string, string>> = { 'tools/call': 'tool', 'prompts/get': 'prompt' };

const messagesIn = (text: string): readonly unknown[] => {
  const start = text.search(/[[{]/u);
  return start === -1 ? [] : [tryJson(text.slice(start))].flat();
};

/** What a run calls: it counts, whichever way something is sent, and refuses what is not permitted. */
export class CallLedger {
  readonly #counts = new Map<string, number>();
  readonly #decisions = new Map<string, CallDecision>();
  readonly #readable: Set<string>;
  readonly #offered = new Map<string, readonly JsonObject[]>();
  readonly #templates = new Set<string>();
  readonly #isIntrusive: boolean;
  #most = MAX_CALLS;

  constructor({ tier, resources }: { readonly tier: string; readonly resources: readonly string[] }) {
    this.#isIntrusive = tier === 'intrusive';
    this.#readable = new Set(resources);
  }

  /** Told of every list: what is listed may be read, and what a template serves may not. */
  listed(method: string, elements: readonly JsonObject[]): void {
    this.#offered.set(method, elements);
    for (const { uri, uriTemplate } of elements) {
      if (typeof uri === 'string') this.#readable.add(uri);
      if (typeof uriTemplate === 'string') this.#templates.add(uriTemplate);
    }
  }

  /** The last list of its kind that the server gave, for the account of a server that has ended. */
  lastListed(method: string): readonly JsonObject[] {
    return this.#offered.get(method) ?? [];
  }

  decided(kind: string, name: string, decision: CallDecision): void {
    this.#decisions.set(`${kind} ${name}`, decision);
  }

  decisionOn(kind: string, name: string): CallDecision | undefined {
    return this.#decisions.get(`${kind} ${name}`);
  }

  /** From now on failures are shown a second time, or another way to the server is compared. */
  allowMore(): void {
    this.#most = MAX_CALLS + MORE_TO_CONFIRM;
  }

  /** Looks at something before it is sent: a line, or a request with its headers. Throws when it may not be. */
  sent(text: string): void {
    if (!/tools\/call|prompts\/get|resources\/read/u.test(text)) return;
    const body = text.includes(' HTTP/1.1\n') ? text.slice(text.indexOf('\n\n') + 2) : text;
    for (const message of messagesIn(body)) this.#admit(message);
  }

  count(kind: string, name: string): number {
    return this.#counts.get(`${kind} ${name}`) ?? 0;
  }

  mayRead(uri: string): boolean {
    if (this.#isIntrusive || this.#readable.has(uri)) return true;
    return ![...this.#templates].some((template) => couldServe(template, uri));
  }

  #admit(message: unknown): void {
    const method = isObject(message) ? String(message['method']) : '';
    const uri = at(message, 'params', 'uri');
    if (method === 'resources/read' && typeof uri === 'string' && !this.mayRead(uri)) {
      throw new CallRefused(`A resource template may serve ${uri}, and templates are not run.`, '--intrusive');
    }
    const kind = KINDS[method];
    const name = at(message, 'params', 'name');
    if (kind === undefined || typeof name !== 'string') return;
    this.#limit(kind, name);
    const key = `${kind} ${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  #limit(kind: string, name: string): void {
    const decision = this.decisionOn(kind, name);
    if (decision === undefined || (decision.may && decision.free)) return;
    const supply =
      kind === 'tool' ? `permission to call it more often: --allow ${name}` : `the prompt ${name} under prompts`;
    if (!decision.may) throw new CallRefused(`The ${kind} ${name} may not be called: ${decision.why}.`, supply);
    if (this.count(kind, name) < this.#most) return;
    throw new CallRefused(
      `The ${kind} ${name} was called ${this.#most} times already, and was not allowed explicitly.`,
      supply,
    );
  }
}
