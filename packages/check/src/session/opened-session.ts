import type { CheckEra } from '@plugboard/contract';
import { at, isObject, type JsonObject } from '../connection/json.js';
import { NoAnswer } from '../connection/no-answer.js';
import type { Answer } from './answer.js';
import { LATEST } from './revision.js';
import type { NoticeOutcome, SessionOptions } from './session.js';

/** How a conversation was opened, and what the server declared in it. */
export abstract class OpenedSession {
  readonly era: CheckEra;
  protected readonly options: SessionOptions & { readonly revision: string };
  /** Undefined until the session is open. */
  protected firstAnswer: Answer | undefined;
  protected firstNotice: NoticeOutcome | undefined;

  constructor(options: SessionOptions) {
    this.era = options.era;
    this.options = { ...options, revision: options.revision ?? LATEST[options.era] };
  }

  get initialized(): NoticeOutcome | undefined {
    return this.firstNotice;
  }

  get opening(): Answer {
    if (this.firstAnswer === undefined) throw new NoAnswer('The session was never opened.');
    return this.firstAnswer;
  }

  get revision(): string {
    const agreed = at(this.firstAnswer?.result, 'protocolVersion');
    return this.era === 'legacy' && typeof agreed === 'string' ? agreed : this.options.revision;
  }

  get capabilities(): JsonObject {
    const declared = at(this.firstAnswer?.result, 'capabilities');
    return isObject(declared) ? declared : {};
  }
}
