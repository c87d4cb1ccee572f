import type { Usage } from '../conversation/model-answer.js';
import type { AgentEvent, AgentRun } from '../loop/agent-event.js';
import type { ServedEvent, ServedHead } from './served-head.js';
import { ServedText } from './served-text.js';

const usageOf = ({ input, output, total, cachedInput, reasoning }: Usage) =>
  input === null || output === null
    ? null
    : {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cachedInput ?? 0 },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
        total_tokens: total ?? input + output,
      };

const statusOf = ({ end, finish }: AgentRun) => {
  const cut = end !== 'finished' || finish.kind === 'length' || finish.kind === 'context-window';
  if (cut) return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (finish.kind === 'content-filter') {
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  }
  return { status: 'completed', incomplete_details: null };
};

const textPart = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text });

const messageItem = ({ id }: ServedHead, status: string, text?: string) => ({
  id: `msg_${id}`,
  type: 'message',
  status,
  role: 'assistant',
  content: text === undefined ? [] : [textPart(text)],
});

/** Members that every response has. Those of tools are empty: the agent's are its own. */
const frameOf = ({ id, created, model }: ServedHead) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: created,
  model,
  error: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
});

const responseOf = (head: ServedHead, run: AgentRun, text: string) => {
  const ended = statusOf(run);
  const item = messageItem(head, ended.status, text);
  return { ...frameOf(head), ...ended, output: [item], output_text: text, usage: usageOf(run.usage) };
};

/** A whole answer of Responses. */
export const writeResponse = async (head: ServedHead, events: AsyncIterable<AgentEvent>): Promise<object> => {
  const served = new ServedText();
  let text = '';
  for await (const event of events) {
    text += served.add(event) ?? '';
    if (event.type === 'done') return responseOf(head, event.run, text);
  }
  throw new Error('the run of an agent has no end');
};

/** The same as a stream. */
export const streamResponse = async function* (
  head: ServedHead,
  events: AsyncIterable<AgentEvent>,
  { events: wanted }: { readonly events: boolean },
): AsyncGenerator<ServedEvent> {
  let sequence = 0;
  const tell = (type: string, members: object): ServedEvent => {
    const data = { type, sequence_number: sequence, ...members };
    sequence += 1;
    return { event: type, data };
  };
  const begun = { ...frameOf(head), status: 'in_progress', incomplete_details: null, output: [], usage: null };
  const at = { item_id: `msg_${head.id}`, output_index: 0, content_index: 0 };
  const served = new ServedText();
  let text = '';
  yield tell('response.created', { response: begun });
  yield tell('response.in_progress', { response: begun });
  yield tell('response.output_item.added', { output_index: 0, item: messageItem(head, 'in_progress') });
  yield tell('response.content_part.added', { ...at, part: textPart('') });
  for await (const event of events) {
    const piece = served.add(event);
    if (piece !== undefined) {
      text += piece;
      yield tell('response.output_text.delta', { ...at, delta: piece, logprobs: [] });
    } else if (event.type !== 'done' && wanted) {
      yield tell('plugboard.event', { event });
    }
    if (event.type !== 'done') continue;
    const response = responseOf(head, event.run, text);
    yield tell('response.output_text.done', { ...at, text, logprobs: [] });
    yield tell('response.content_part.done', { ...at, part: textPart(text) });
    yield tell('response.output_item.done', { output_index: 0, item: response.output[0] });
    yield tell(`response.${response.status}`, { response });
  }
};
