import type { CheckEra } from '@plugboard/contract';
import type { JsonObject } from '../../connection/json.js';
import { parameterHeaders } from '../../probe/parameter-headers.js';
import { enveloped } from '../../session/envelope.js';
import { mirroredHeaders } from '../../session/http-headers.js';
import type { Sent } from '../line/load-line.js';

/** What is called, over and over. */
export interface LoadCall {
  readonly method: string;
  /** For tools/call. */
  readonly tool?: string | undefined;
  readonly arguments?: JsonObject | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  /** The argument whose text carries the canary. */
  readonly canaryIn?: string | undefined;
  /** What follows the canary, to make the request longer. */
  readonly padding?: string | undefined;
  /** The answer gives the canary back. */
  readonly echoes: boolean;
  /** Answers also contain what earlier calls sent. */
  readonly remembers?: boolean | undefined;
  /** What the tool said when it was tried, and failed. */
  readonly failure?: string | undefined;
  /** Calls carry a progress token: the tool reports progress. */
  readonly progress: boolean;
}

const CANARY = '\u2060canary\u2060';

/** Writes the requests of one conversation; only the id and the canary differ between them. */
export class CallText {
  readonly #pieces: readonly string[];
  readonly #headers: (canary: string) => Sent['headers'];
  readonly #progress: boolean;

  constructor(call: LoadCall, { era, revision }: { readonly era: CheckEra; readonly revision: string }) {
    const { method, tool, canaryIn } = call;
    this.#progress = call.progress;
    const args = {
      ...call.arguments,
      ...(canaryIn === undefined ? {} : { [canaryIn]: `${CANARY}${call.padding ?? ''}` }),
    };
    const own = tool === undefined ? undefined : { name: tool, arguments: args };
    const meta = call.progress ? { progressToken: CANARY } : {};
    const params = enveloped(own, { era, revision }, { meta });
    const rest = JSON.stringify({ method, ...(params === undefined ? {} : { params }) }).slice(1);
    this.#pieces = `,${rest}`.split(CANARY);
    const mirrored = era === 'modern' ? mirroredHeaders({ method, ...(params === undefined ? {} : { params }) }) : {};
    const named = era === 'modern' ? parameterHeaders(call.inputSchema, args) : {};
    const isConstant = canaryIn === undefined || Object.keys(named).length === 0;
    const constant = { ...mirrored, ...named };
    this.#headers = (canary) =>
      isConstant ? constant : { ...mirrored, ...parameterHeaders(call.inputSchema, { ...args, [canaryIn]: canary }) };
  }

  write(id: number, canary: string): Sent {
    const text = `{"jsonrpc":"2.0","id":${id}${this.#pieces.join(canary)}`;
    return { id, text, headers: this.#headers(canary), progressToken: this.#progress ? canary : undefined };
  }
}
