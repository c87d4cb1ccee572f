import { validateResult } from '@plugboard/schema';
import { at, isObject, type JsonObject } from '../../connection/json.js';
import type { SchemaOracle } from '../../oracle/schema-oracle.js';
import type { Arrival } from '../line/load-line.js';
import type { LoadCall } from './call-text.js';
import type { Canaries } from './canary.js';
import type { Conversation } from './conversation.js';
import type { Violations } from './violations.js';

export interface JudgeOptions {
  readonly call: LoadCall;
  readonly canaries: Canaries;
  readonly violations: Violations;
  readonly oracle: (revision: string) => SchemaOracle | undefined;
}

type Answered = Extract<Arrival, { readonly kind: 'answer' }>;

const errorClass = (message: JsonObject): string | undefined => {
  if ('error' in message) return `error ${String(at(message, 'error', 'code'))}`;
  return at(message, 'result', 'isError') === true ? 'tool error' : undefined;
};

/** Judges each answer while the server is busy; returns the class of the error, or undefined for a success. */
export class AnswerJudge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  judge(
    answer: Answered,
    sent: { readonly id: number; readonly canary: string },
    from: Conversation,
  ): string | undefined {
    const { violations, call } = this.#options;
    const { message, notices } = answer;
    // An error without an id is about a request that the server could not read; it mixes up nobody.
    if (message['id'] !== sent.id && !(message['id'] === null && 'error' in message)) {
      violations.add('id-mixed', `The answer to request ${sent.id} has another id:`, message);
    }
    if (answer.surplus > 0) violations.add('surplus-answer', 'A request was answered twice:', message);
    for (const notice of notices) {
      if (notice['method'] === 'notifications/progress') from.progress(notice, call.progress ? sent.canary : undefined);
    }
    const error = errorClass(message);
    this.#canary(answer, sent.canary, error);
    this.#shape(answer, from.line.revision);
    return error;
  }

  #canary({ text }: Answered, own: string, error: string | undefined): void {
    const { violations, call, canaries } = this.#options;
    const foreign = canaries.foreignIn(text, own);
    if (foreign !== undefined && !(call.remembers === true && text.includes(own))) {
      violations.add('foreign-canary', `The answer to ${own} contains text of another caller:`, foreign);
    } else if (call.echoes && error === undefined && !text.includes(own)) {
      violations.add('canary-missing', `The answer does not contain ${own}, which was sent:`, text);
    }
  }

  #shape({ message }: Answered, revision: string): void {
    const { violations, call, oracle } = this.#options;
    const flaw = oracle(revision)?.flaw({ message, revision, answers: call.method, sent: undefined, connection: 0 });
    if (flaw !== undefined) violations.add('schema-invalid', `${flaw}:`, message);
    const structured = at(message, 'result', 'structuredContent');
    if (structured === undefined || !isObject(call.outputSchema)) return;
    const checked = validateResult(call.outputSchema, structured);
    if (!checked.ok) violations.add('schema-invalid', 'structuredContent does not match the outputSchema:', structured);
  }
}
