import type { SeenEvent } from '../ask.js';
import { fail, type Finding, type LlmCheck, PASS } from '../probe/llm-check.js';
import type { LlmProbe, SeenStream } from '../probe/llm-probe.js';

const CONTENT = new Set<SeenEvent['kind']>(['text', 'call', 'arguments']);

const onStory =
  (judge: (stream: SeenStream, probe: LlmProbe) => Finding): LlmCheck['judge'] =>
  async (probe) =>
    judge(await probe.streamed('story'), probe);

const orderProblem = (events: readonly SeenEvent[]): string | undefined => {
  const kinds = events.map(({ kind }) => kind);
  const [first, start] = [kinds.findIndex((kind) => CONTENT.has(kind)), kinds.indexOf('start')];
  const finishes = kinds.filter((kind) => kind === 'finish').length;
  if (first !== -1 && (start === -1 || start > first)) return 'Content comes before the start of the message.';
  if (finishes === 0) return 'No event has a finish reason.';
  if (finishes > 1) return `${finishes} events have a finish reason.`;
  const after = kinds.slice(kinds.indexOf('finish') + 1);
  if (after.some((kind) => CONTENT.has(kind))) return 'Content comes after the finish reason.';
  const end = kinds.indexOf('end');
  return end !== -1 && end < kinds.length - 1 ? 'Events come after the end of the stream.' : undefined;
};

/** An answer that comes in pieces. */
export const STREAMING_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-10',
    title: 'Each event of a stream can be read',
    problem: 'A stream contains something that is not an event',
    family: 'Streaming',
    level: 'MUST',
    rule: 'A stream has the content type of the API, and each event contains JSON of a documented type.',
    remedy: 'Send nothing but complete events with JSON, under the right content type.',
    judge: onStory(({ exchange, events }, { dialect }) => {
      const type = exchange.headers.get('content-type') ?? '';
      if (!type.startsWith(dialect.streamType)) {
        return fail(`The content type is "${type}".`, dialect.streamType, exchange);
      }
      const broken = events.find((event) => event.kind === 'broken');
      return broken === undefined ? PASS : fail(broken.why, 'complete events with JSON', exchange);
    }),
  },
  {
    id: 'LLM-11',
    title: 'The events of a stream come in order, with exactly one finish',
    problem: 'The events of a stream are out of order',
    family: 'Streaming',
    level: 'MUST',
    rule: 'A stream starts the message, sends its content, and finishes once. Content never follows the finish.',
    remedy: 'Send one finish reason after the last piece of content.',
    judge: onStory(({ exchange, events }) => {
      const problem = orderProblem(events);
      return problem === undefined ? PASS : fail(problem, 'start, content, one finish, end', exchange);
    }),
  },
  {
    id: 'LLM-12',
    title: 'A stream ends with its last event',
    problem: 'A stream stops without its last event',
    family: 'Streaming',
    level: 'MUST',
    rule: 'The last event tells the client that the answer is complete and was not cut.',
    remedy: 'Send the last event of the API, then close the body in order.',
    judge: onStory(({ exchange, events }) => {
      if (exchange.isCut) return fail('The connection broke.', 'a body that ends in order', exchange);
      const error = events.find((event) => event.kind === 'error');
      if (error !== undefined) return fail(`The stream reports an error: ${error.message}`, 'no error', exchange);
      return events.some(({ kind }) => kind === 'end')
        ? PASS
        : fail('The last event of the API is missing.', 'the event that ends a stream', exchange);
    }),
  },
  {
    id: 'LLM-13',
    title: 'A stream reports its token usage',
    problem: 'A stream does not report its token usage',
    family: 'Streaming',
    level: 'MUST',
    rule: 'A stream reports the tokens of the answer at its end, where the request asks for it or the API always does.',
    remedy: 'Send the usage with the last events of the stream.',
    judge: onStory(({ exchange, events }) => {
      const last = events.findLast((event) => event.kind === 'usage');
      if (last === undefined) return fail('No event has the usage.', 'the usage at the end', exchange);
      return last.usage.output === undefined || last.usage.output === 0
        ? fail('The usage has no output tokens.', 'a whole number of output tokens', exchange)
        : PASS;
    }),
  },
  {
    id: 'LLM-14',
    title: 'All events of a stream belong to one message',
    problem: 'The events of a stream have different message ids',
    family: 'Streaming',
    level: 'MUST',
    rule: 'Clients put the pieces of one message together by its id.',
    remedy: 'Send the same id with every event of an answer.',
    judge: onStory(({ exchange, events }) => {
      const ids = new Set(events.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId])));
      return ids.size <= 1 ? PASS : fail(`The ids are ${[...ids].join(', ')}.`, 'one id', exchange);
    }),
  },
  {
    id: 'LLM-15',
    title: 'A stream delivers the text in pieces',
    problem: 'A stream delivers no text, or all of it at once',
    family: 'Streaming',
    level: 'SHOULD',
    rule: 'A stream sends text while the model writes it.',
    remedy: 'Send each piece of the text as soon as it is there.',
    judge: onStory(({ exchange, events }) => {
      const pieces = events.filter(({ kind }) => kind === 'text').length;
      if (pieces === 0) return fail('The stream has no text.', 'several pieces of text', exchange);
      return pieces > 1 ? PASS : fail('The text came in one piece.', 'several pieces of text', exchange);
    }),
  },
];
