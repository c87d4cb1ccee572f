import type { AnswerJudge } from '../call/answer-judge.js';
import type { CallText } from '../call/call-text.js';
import type { Canaries } from '../call/canary.js';
import type { Conversation } from '../call/conversation.js';
import type { Recorded } from './tally.js';

export interface CallerOptions {
  readonly conversation: Conversation;
  readonly text: CallText;
  readonly judge: AnswerJudge;
  readonly canaries: Canaries;
  readonly deadlineMs: number;
  readonly progress: boolean;
}

/** Somebody who calls and waits for the answer. */
export class Caller {
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  async call(dueAt?: number): Promise<Recorded> {
    const { conversation, text, judge, canaries, deadlineMs, progress } = this.#options;
    const id = conversation.newId();
    const canary = canaries.next();
    const sent = text.write(id, canary);
    if (progress) conversation.begin(canary);
    const sentAt = performance.now();
    const arrival = await conversation.line.request(sent, deadlineMs);
    if (arrival.kind === 'failure') {
      conversation.giveUp(id, canary);
      return { dueAt: dueAt ?? sentAt, sentAt, doneAt: arrival.at, error: arrival.error };
    }
    const error = judge.judge(arrival, { id, canary }, conversation);
    if (progress) conversation.end(canary);
    return { dueAt: dueAt ?? sentAt, sentAt, doneAt: arrival.at, firstAt: arrival.firstAt, error };
  }
}
