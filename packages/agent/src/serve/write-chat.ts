import type { Usage } from '../conversation/model-answer.js';
import type { AgentEvent, AgentRun } from '../loop/agent-event.js';
import type { ServedEvent, ServedHead } from './served-head.js';
import type { ServedInput } from './served-input.js';
import { ServedText } from './served-text.js';

/** A run that reached a limit is cut, as an answer at its limit of tokens is. */
const finishOf = ({ end, finish }: AgentRun): string => {
  if (end !== 'finished' || finish.kind === 'length' || finish.kind === 'context-window') return 'length';
  return finish.kind === 'content-filter' ? 'content_filter' : 'stop';
};

const usageOf = ({ input, output, total, cachedInput, reasoning }: Usage) =>
  input === null || output === null
    ? undefined
    : {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: total ?? input + output,
        ...(cachedInput === null ? {} : { prompt_tokens_details: { cached_tokens: cachedInput } }),
        ...(reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
      };

/** A whole answer of Chat Completions. */
export const writeChat = async (head: ServedHead, events: AsyncIterable<AgentEvent>): Promise<object> => {
  const text = new ServedText();
  let content = '';
  let thought = '';
  for await (const event of events) {
    content += text.add(event) ?? '';
    if (event.type === 'thinking') thought += event.text;
    if (event.type !== 'done') continue;
    const { run } = event;
    const usage = usageOf(run.usage);
    const message = {
      role: 'assistant',
      content,
      refusal: null,
      ...(thought === '' ? {} : { reasoning_content: thought }),
    };
    return {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(run) }],
      ...(usage === undefined ? {} : { usage }),
    };
  }
  throw new Error('the run of an agent has no end');
};

/** The same as a stream: exactly one chunk has a finish, and only the usage follows it. */
export const streamChat = async function* (
  head: ServedHead,
  events: AsyncIterable<AgentEvent>,
  { streamUsage, events: wanted }: Pick<ServedInput, 'streamUsage' | 'events'>,
): AsyncGenerator<ServedEvent> {
  const frame = { ...head, object: 'chat.completion.chunk' };
  const chunk = (delta: object, finish: string | null = null, more: object = {}): ServedEvent => ({
    data: {
      ...frame,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(streamUsage ? { usage: null } : {}),
      ...more,
    },
  });
  const text = new ServedText();
  yield chunk({ role: 'assistant', content: '' });
  for await (const event of events) {
    const piece = text.add(event);
    if (piece !== undefined) yield chunk({ content: piece });
    else if (event.type === 'thinking') yield chunk({ reasoning_content: event.text });
    else if (event.type !== 'done' && wanted) yield chunk({}, null, { plugboard: event });
    if (event.type !== 'done') continue;
    const { messages: _whole, ...run } = event.run;
    yield chunk({}, finishOf(event.run), wanted ? { plugboard: { type: 'done', run } } : {});
    const usage = usageOf(event.run.usage);
    if (streamUsage && usage !== undefined) yield { data: { ...frame, choices: [], usage } };
  }
  yield { data: '[DONE]' };
};
