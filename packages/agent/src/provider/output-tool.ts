import type { AssistantPart } from '../conversation/message.js';
import type { ModelAnswer } from '../conversation/model-answer.js';
import type { ModelEvent } from '../conversation/model-event.js';
import type { ModelRequest } from '../conversation/model-request.js';

const nameOf = ({ output }: ModelRequest): string => output?.name ?? 'response_schema';

/** Structured output for models without it: a tool with the schema, which the model must call. */
export const withOutputTool = (request: ModelRequest, canForce: boolean): ModelRequest => {
  const { output, tools = [], system } = request;
  if (output === undefined) return request;
  const name = nameOf(request);
  const instruction = `Give your final answer by calling the tool ${name}.`;
  return {
    ...request,
    tools: [...tools, { name, description: 'Takes the final answer.', inputSchema: output.schema }],
    // With other tools, the model must be free to call them first.
    ...(canForce && tools.length === 0
      ? { toolChoice: { tool: name } }
      : { system: system === undefined ? instruction : `${system}\n\n${instruction}` }),
  };
};

/** The call of the output tool, as the text that it stands for. */
export const withoutOutputTool = (answer: ModelAnswer, request: ModelRequest): ModelAnswer => {
  const name = nameOf(request);
  const isOutput = (part: AssistantPart): boolean => part.type === 'tool-call' && part.name === name;
  if (!answer.content.some(isOutput)) return answer;
  const content = answer.content.map((part) =>
    part.type === 'tool-call' && isOutput(part) ? { type: 'text' as const, text: part.arguments } : part,
  );
  const calls = content.some(({ type }) => type === 'tool-call');
  return {
    ...answer,
    content,
    finish: answer.finish.kind === 'tool-calls' && !calls ? { ...answer.finish, kind: 'stop' } : answer.finish,
  };
};

/** The same for a stream: the arguments of the output tool are its text. */
export const streamWithoutOutputTool = async function* (
  events: AsyncIterable<ModelEvent>,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const outputs = new Set<number>();
  for await (const event of events) {
    if (event.type === 'tool-call' && event.name === nameOf(request)) outputs.add(event.index);
    else if (event.type === 'tool-arguments' && outputs.has(event.index)) yield { type: 'text', text: event.text };
    else if (event.type === 'answer') yield { type: 'answer', answer: withoutOutputTool(event.answer, request) };
    else yield event;
  }
};
