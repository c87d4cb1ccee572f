import type { CheckEra } from '@plugboard/contract';
import type { Link } from '../../session/link.js';
import { CallText } from '../../load/call/call-text.js';
import type { Arrival, LoadLine } from '../../load/line/load-line.js';
import { openLine } from '../../load/line/open-line.js';
import { at } from '../../connection/json.js';
import type { ChaosCall, ClientUnderTest, Fate } from './subject.js';

const failed = (why: string): Fate => ({ kind: 'failed', why });

/** A tool that reports an error did not do what it was asked for. */
const fateOf = (arrival: Arrival): Fate => {
  if (arrival.kind === 'failure') return failed(arrival.error);
  const error = at(arrival.message, 'error', 'message');
  if (error !== undefined) return failed(typeof error === 'string' ? error : JSON.stringify(error));
  return at(arrival.message, 'result', 'isError') === true
    ? failed(`the tool reports an error: ${JSON.stringify(at(arrival.message, 'result', 'content')).slice(0, 200)}`)
    : { kind: 'answered', text: arrival.text };
};

export interface LineCallerOptions {
  readonly link: Link;
  readonly era: CheckEra;
  /** Calls carry a progress token. */
  readonly progress: boolean;
  readonly inputSchema: unknown;
  /** Opens a new conversation after a failure, as a client does whose server failed. */
  readonly reopens: boolean;
}

/** Calls as the referee does: nothing is ever sent twice. */
export class LineCaller implements ClientUnderTest {
  readonly #options: LineCallerOptions;
  #line: Promise<LoadLine> | undefined;
  #id = 0;

  constructor(options: LineCallerOptions) {
    this.#options = options;
  }

  async call({ tool, arguments: args, deadlineMs }: ChaosCall): Promise<Fate> {
    const { link, era, progress, inputSchema, reopens } = this.#options;
    const opening = (this.#line ??= openLine(link, era, () => undefined));
    let line: LoadLine;
    try {
      line = await opening;
    } catch (error) {
      this.#forget(opening);
      return failed(error instanceof Error ? error.message : String(error));
    }
    this.#id += 1;
    const call = { method: 'tools/call', tool, arguments: args, inputSchema, echoes: false, progress };
    const sent = new CallText(call, line).write(this.#id, `token-${this.#id}`);
    const fate = fateOf(await line.request(sent, deadlineMs));
    if (fate.kind === 'failed' && reopens) {
      this.#forget(opening);
      void line.close().catch(() => undefined);
    }
    return fate;
  }

  async close(): Promise<void> {
    const line = await this.#line?.catch(() => undefined);
    await line?.close();
  }

  #forget(opening: Promise<LoadLine>): void {
    if (this.#line === opening) this.#line = undefined;
  }
}
