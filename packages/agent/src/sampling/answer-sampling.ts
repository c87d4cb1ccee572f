import { isJsonObject } from '@plugboard/base';
import type { RequestHandler } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import { type Message, textOf, type UserPart } from '../conversation/message.js';
import type { FinishKind } from '../conversation/model-answer.js';
import type { ModelRequest } from '../conversation/model-request.js';
import type { ModelProvider } from '../provider/provider.js';

/** What a server asks of the model of its user. */
export interface SamplingQuestion {
  readonly server: string;
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly maxTokens: number | undefined;
}

export interface SamplingOptions {
  readonly provider: ModelProvider;
  readonly model: string;
  /** For messages, and for the one who is asked. */
  readonly server: string;
  /** Asked for each request: a server spends the money of its user, and reads what the model says. */
  readonly consent: (question: SamplingQuestion) => boolean | Promise<boolean>;
  /** The most tokens of one answer, whatever the server asks for. Default: 4,096. */
  readonly maxTokens?: number | undefined;
}

const MAX_TOKENS = 4096;

const invalid = (message: string): PlugboardError => new PlugboardError('INVALID_ARGUMENT', message);

const partOf = (content: unknown): UserPart => {
  const { type, text, data, mimeType } = isJsonObject(content) ? content : {};
  if (type === 'text' && typeof text === 'string') return { type, text };
  const isMedia = (type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string';
  if (isMedia) return { type, data, mimeType };
  throw invalid('The server asks the model with content of an unknown type.');
};

const messageOf = (message: unknown): Message => {
  const { role, content } = isJsonObject(message) ? message : {};
  const parts = (Array.isArray(content) ? content : [content]).map(partOf);
  if (role === 'user') return { role, content: parts };
  if (role === 'assistant') return { role, content: [{ type: 'text', text: textOf(parts) }] };
  throw invalid('The server asks the model with a message of an unknown role.');
};

const STOPS: Partial<Record<FinishKind, string>> = { stop: 'endTurn', length: 'maxTokens' };

/**
 * Answers `sampling/createMessage` of a server with a model, if the user consents. Register it with
 * `client.onRequest('sampling/createMessage', handler)`. The server does not choose the model, and gets no tools.
 */
export const answerSampling = (options: SamplingOptions): RequestHandler => {
  const { provider, model, server, consent, maxTokens: most = MAX_TOKENS } = options;
  return async ({ params, signal }) => {
    const given = isJsonObject(params) ? params : {};
    const { messages, systemPrompt, maxTokens, temperature, stopSequences } = given;
    if (!Array.isArray(messages) || messages.length === 0) throw invalid('The server asks the model nothing.');
    const question: SamplingQuestion = {
      server,
      system: typeof systemPrompt === 'string' ? systemPrompt : undefined,
      messages: messages.map(messageOf),
      maxTokens: typeof maxTokens === 'number' ? maxTokens : undefined,
    };
    if (!(await consent(question))) {
      throw new PlugboardError('PERMISSION_DENIED', 'The user did not allow the server to ask the model.');
    }
    const request: ModelRequest = {
      model,
      system: question.system,
      messages: question.messages,
      maxTokens: Math.min(most, question.maxTokens ?? most),
      ...(typeof temperature === 'number' ? { temperature } : {}),
      ...(Array.isArray(stopSequences) ? { stop: stopSequences.filter((stop) => typeof stop === 'string') } : {}),
    };
    const answer = await provider.complete(request, { signal });
    return {
      role: 'assistant',
      content: { type: 'text', text: textOf(answer.content) },
      model: answer.model,
      stopReason: STOPS[answer.finish.kind] ?? answer.finish.raw ?? 'endTurn',
    };
  };
};
