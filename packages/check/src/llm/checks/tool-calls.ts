import { validateArguments } from '@plugboard/schema';
import { tryJson } from '../../connection/json.js';
import { afterTool, ASKS, type SeenEvent, type ToolCall } from '../ask.js';
import { fail, type Finding, type LlmCheck, PASS } from '../probe/llm-check.js';
import { NoControl } from '../probe/llm-probe.js';
import type { Exchange } from '../wire/send.js';

const [WEATHER] = ASKS.tool.tools;

const argumentProblem = ({ name, arguments: text }: ToolCall): string | undefined => {
  if (name !== WEATHER.name) return `The model calls "${name}", which was not offered.`;
  const value = tryJson(text);
  if (value === undefined) return `The arguments are not JSON: ${text}`;
  return validateArguments(WEATHER.inputSchema, value).ok
    ? undefined
    : `The arguments do not follow the schema of the tool: ${text}`;
};

export const judgeCalls = (calls: readonly ToolCall[], exchange: Exchange): Finding => {
  const [call] = calls;
  if (call === undefined) return fail('No tool is called.', `a call of ${WEATHER.name}`, exchange);
  const ids = calls.map(({ id }) => id);
  if (ids.includes('')) return fail('A call has no id.', 'an id for each call', exchange);
  if (new Set(ids).size < ids.length) return fail('Two calls have the same id.', 'an id for each call', exchange);
  const problem = calls.map(argumentProblem).find((text) => text !== undefined);
  return problem === undefined ? PASS : fail(problem, 'arguments that follow the schema of the tool', exchange);
};

/** The calls of a stream, or what does not fit together. */
export const callsOf = (events: readonly SeenEvent[]): readonly ToolCall[] | string => {
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  for (const event of events) {
    if (event.kind === 'call') {
      if (calls.has(event.index)) return `The call with index ${event.index} is started twice.`;
      calls.set(event.index, { id: event.id, name: event.name, arguments: '' });
    } else if (event.kind === 'arguments') {
      const call = calls.get(event.index);
      if (call === undefined) return `Arguments come for index ${event.index}, where no call was started.`;
      if (event.id !== undefined && event.id !== call.id) {
        return `Arguments with the id ${event.id} come for the call ${call.id}.`;
      }
      call.arguments += event.text;
    }
  }
  return [...calls.values()];
};

/** Calls of tools, as a whole and in a stream, and what follows their results. */
export const TOOL_CALL_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-20',
    title: 'A required tool is called with valid arguments',
    problem: 'A required tool is not called, or not with valid arguments',
    family: 'Tool calls',
    level: 'MUST',
    rule: 'When a request requires a tool, the answer calls one that was offered, with an id and arguments in JSON.',
    remedy: 'Honour the tool choice, and check the arguments against the schema of the tool before you send them.',
    judge: async (probe) => {
      const { exchange, answer } = await probe.answered(ASKS.tool);
      return judgeCalls(answer.calls, exchange);
    },
  },
  {
    id: 'LLM-21',
    title: 'An answer that calls tools ends with that finish reason',
    problem: 'An answer that calls tools ends with another finish reason',
    family: 'Tool calls',
    level: 'MUST',
    rule: 'The finish reason tells the client that tools are to be run.',
    remedy: 'Set the finish reason for tool calls.',
    judge: async (probe) => {
      const { toolFinish } = probe.dialect;
      if (toolFinish === undefined) return { verdict: 'not-applicable', detail: 'This API has no such reason.' };
      const { exchange, answer } = await probe.answered(ASKS.tool);
      return answer.finish === toolFinish
        ? PASS
        : fail(`The finish reason is "${answer.finish ?? 'missing'}".`, `the reason "${toolFinish}"`, exchange);
    },
  },
  {
    id: 'LLM-22',
    title: 'A streamed tool call can be put together',
    problem: 'A streamed tool call cannot be put together',
    family: 'Tool calls',
    level: 'MUST',
    rule: 'The pieces of a call name the call they belong to, and together they are JSON.',
    remedy: 'Start each call once with its id and name, and send its arguments with the same index.',
    judge: async (probe) => {
      const { exchange, events } = await probe.streamed('tool');
      const calls = callsOf(events);
      if (typeof calls === 'string') return fail(calls, 'pieces that fit together', exchange);
      return judgeCalls(calls, exchange);
    },
  },
  {
    id: 'LLM-23',
    title: 'The conversation goes on with the result of a tool',
    problem: 'The result of a tool is not accepted',
    family: 'Tool calls',
    level: 'MUST',
    rule: 'A request with the call of the model and its result is answered.',
    remedy: 'Accept the messages as the API documents them.',
    judge: async (probe) => {
      const { answer } = await probe.answered(ASKS.tool);
      const [call] = answer.calls;
      if (call === undefined) {
        return {
          verdict: 'not-verified',
          detail: 'The model called no tool.',
          supply: 'Choose a model that calls tools.',
        };
      }
      const exchange = await probe.ask(afterTool(call));
      if (exchange.status !== 200) return fail(`The status is ${exchange.status}.`, 'status 200', exchange);
      const { text, calls } = probe.dialect.readWhole(exchange.json);
      return text.trim() === '' && calls.length === 0 ? fail('The answer is empty.', 'a text', exchange) : PASS;
    },
  },
  {
    id: 'LLM-24',
    title: 'A result without its call is rejected',
    problem: 'A result without its call is accepted',
    family: 'Tool calls',
    level: 'SHOULD',
    rule: 'Each result refers to a call of the turn before.',
    remedy: 'Answer with status 400 when a result has the id of no call.',
    judge: async (probe) => {
      const { answer } = await probe.answered(ASKS.tool);
      const call = answer.calls[0] ?? { id: 'call_1', name: WEATHER.name, arguments: '{"city":"Paris"}' };
      const exchange = await probe.ask(afterTool(call, `${call.id}x`));
      return exchange.status >= 400 && exchange.status < 500
        ? PASS
        : fail(`The status is ${exchange.status}.`, 'status 400', exchange);
    },
  },
  {
    id: 'LLM-25',
    title: 'Calls of one answer can be told apart',
    problem: 'Calls of one answer cannot be told apart',
    family: 'Tool calls',
    level: 'MUST',
    rule: 'When an answer calls a tool several times, each call has a unique id, also in a stream.',
    remedy: 'Give each call its own id, and each call of a stream its own index.',
    judge: async (probe) => {
      const { exchange, answer } = await probe.answered(ASKS.cities);
      const whole = judgeCalls(answer.calls, exchange);
      if (whole.verdict !== 'pass') return whole;
      const { exchange: stream, events } = await probe.streamed('cities');
      const calls = callsOf(events);
      if (typeof calls === 'string') return fail(calls, 'pieces that fit together', stream);
      const streamed = judgeCalls(calls, stream);
      if (streamed.verdict !== 'pass') return streamed;
      return answer.calls.length > 1 || calls.length > 1
        ? PASS
        : { verdict: 'not-applicable', detail: 'The model calls one tool at a time.' };
    },
  },
  {
    id: 'LLM-26',
    title: 'At most one tool is called when the request says so',
    problem: 'Several tools are called although the request forbids it',
    family: 'Tool calls',
    level: 'MUST',
    rule: 'A request can forbid parallel calls; the answer then has one call at most.',
    remedy: 'Honour parallel_tool_calls (OpenAI) or disable_parallel_tool_use (Anthropic).',
    judge: async (probe) => {
      const { oneCall } = probe.dialect;
      if (oneCall === undefined) return { verdict: 'not-applicable', detail: 'This API has no such setting.' };
      const exchange = await probe.ask({ ...ASKS.cities, more: oneCall });
      if (exchange.status !== 200) throw new NoControl(exchange);
      const { calls } = probe.dialect.readWhole(exchange.json);
      return calls.length <= 1 ? PASS : fail(`The answer has ${calls.length} calls.`, 'one call', exchange);
    },
  },
];
