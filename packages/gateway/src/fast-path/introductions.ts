import { isJsonObject, type JsonObject, type Span } from '@plugboard/wire';
import type { ClientFacts } from '../call/mcp-call.js';
import { checkIntroduction } from '../session/read-initialize.js';
import type { WrittenCall } from './written-call.js';

interface Introduction {
  readonly text: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject | undefined;
}

const textOf = ({ bytes }: WrittenCall, span: Span | undefined): string =>
  span === undefined ? 'null' : bytes.toString('utf8', span.start, span.end);

/** What modern clients say of themselves with each request. Most say the same again and again, so that is read once. */
export class Introductions {
  #last: Introduction | undefined;

  /** The facts with what the client says of itself; undefined when the full path has to complain about it. */
  read(call: WrittenCall, facts: ClientFacts): ClientFacts | undefined {
    const text = `[${textOf(call, call.spans.clientCapabilities)},${textOf(call, call.spans.clientInfo)}]`;
    const known = this.#last?.text === text ? this.#last : this.#parse(text);
    if (known === undefined) return undefined;
    return { ...facts, capabilities: known.capabilities, clientInfo: known.clientInfo };
  }

  #parse(text: string): Introduction | undefined {
    const [capabilities, clientInfo] = JSON.parse(text) as readonly unknown[];
    if (!isJsonObject(capabilities) || !isJsonObject(clientInfo)) return undefined;
    try {
      checkIntroduction(capabilities, clientInfo);
    } catch {
      return undefined;
    }
    this.#last = { text, capabilities, clientInfo };
    return this.#last;
  }
}
