import { PlugboardError, type LoadPlan } from '@plugboard/contract';
import { at, isObject, listAt, show } from '../connection/json.js';
import { NoAnswer } from '../connection/no-answer.js';
import { decideTool } from '../calls/call-policy.js';
import { exampleArguments } from '../generate/example.js';
import { parameterHeaders } from '../probe/parameter-headers.js';
import { readList, toListedTool } from '../probe/lists.js';
import type { ListedTool } from '../calls/tool.js';
import { describe, type Answer } from '../session/answer.js';
import type { Session } from '../session/session.js';
import type { CheckTarget } from '../target/target.js';
import type { LoadCall } from './call/call-text.js';
import { healthCall } from './scenario/health-call.js';

export interface ChosenCall {
  readonly call: LoadCall;
  /** What the reader should know about the choice. */
  readonly note: string | undefined;
}

/** An argument that takes any text. */
const freeText = ({ inputSchema }: ListedTool): string | undefined => {
  const properties = at(inputSchema, 'properties');
  return Object.entries(isObject(properties) ? properties : {}).find(
    ([, schema]) =>
      at(schema, 'type') === 'string' &&
      ['enum', 'pattern', 'format', 'const'].every((keyword) => at(schema, keyword) === undefined),
  )?.[0];
};

const CANARIES = ['canary-before-load.', 'canary-before-load-again.'] as const;

const callWith = async (session: Session, { tool = '', canaryIn, ...call }: LoadCall, canary: string) => {
  const args = { ...call.arguments, ...(canaryIn === undefined ? {} : { [canaryIn]: canary }) };
  const headers = session.era === 'modern' ? parameterHeaders(call.inputSchema, args) : {};
  return await session.request(
    'tools/call',
    { name: tool, arguments: args },
    { meta: { progressToken: canary }, headers },
  );
};

const contains = ({ result = {} }: Answer, canary: string): boolean => JSON.stringify(result).includes(canary);

/** What the server says about a call that failed. */
const failureIn = (answer: Answer): string => {
  const [text] = listAt(answer.result, 'content').map((block) => at(block, 'text'));
  return answer.error === undefined ? show(text ?? answer.result) : describe(answer);
};

/** Calls it: does it return its text, and does it report progress? One that does is called again: does it return earlier texts, too? */
const tried = async (session: Session, call: LoadCall): Promise<LoadCall> => {
  const { canaryIn } = call;
  const [first, second] = CANARIES;
  const answer = await callWith(session, call, first);
  if (answer.result === undefined && answer.error === undefined) {
    throw new NoAnswer(`The tool "${call.tool}" cannot be called: ${describe(answer)}.`);
  }
  const isFailed = answer.error !== undefined || at(answer.result, 'isError') === true;
  if (isFailed && canaryIn !== undefined) {
    // The tool may not take any text after all; what was given for it, it does.
    return await tried(session, { ...call, canaryIn: undefined });
  }
  const echoes = canaryIn !== undefined && contains(answer, first);
  return {
    ...call,
    echoes,
    ...(isFailed ? { failure: failureIn(answer) } : {}),
    ...(echoes ? { remembers: contains(await callWith(session, call, second), first) } : {}),
    progress: answer.before.some((message) => message['method'] === 'notifications/progress'),
  };
};

/** Is given the call as it was named, before the tool was called for the first time. */
export type OnUntried = (call: LoadCall) => Promise<void>;

const named = async (
  session: Session,
  tools: readonly ListedTool[],
  given: NonNullable<LoadPlan['call']>,
  onUntried?: OnUntried,
): Promise<LoadCall> => {
  const tool = tools.find(({ name }) => name === given.tool);
  if (tool === undefined) {
    throw new PlugboardError('INVALID_ARGUMENT', `The server has no tool "${given.tool}".`, {
      hint: `It has: ${tools.map(({ name }) => name).join(', ')}.`,
    });
  }
  const args = given.arguments ?? exampleArguments(tool.inputSchema);
  const call: LoadCall = {
    method: 'tools/call',
    tool: tool.name,
    arguments: args,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    echoes: false,
    progress: false,
  };
  await onUntried?.(call);
  return await tried(session, { ...call, canaryIn: freeText(tool) });
};

/** Tools that may be called as often as one likes, those with a free text first: they can carry a canary. */
const allowed = (tools: readonly ListedTool[], target: CheckTarget): LoadPlan['call'] => {
  const free = tools.flatMap((tool) => {
    const decision = decideTool(tool, target);
    return decision.may && decision.free ? [{ tool, args: decision.arguments[0] }] : [];
  });
  const best = free.find(({ tool }) => freeText(tool) !== undefined) ?? free[0];
  return best === undefined
    ? undefined
    : { tool: best.tool.name, ...(best.args === undefined ? {} : { arguments: best.args }) };
};

const NO_TOOL = 'No tool may be called, so health requests were measured. Name one: --tool name={"json":"arguments"}.';

const SILENT = 'The tool does not return its text, so answers were not matched to callers.';
const REMEMBERS =
  'The tool also returns texts of earlier calls, so text of others counts as wrong only in answers without the text of their caller.';

const noteOn = ({ echoes, remembers, failure }: LoadCall): string | undefined => {
  if (failure !== undefined) return `The tool failed when it was tried: ${failure}`;
  if (!echoes) return SILENT;
  return remembers === true ? REMEMBERS : undefined;
};

/** What the load consists of. Nothing is called thousands of times that nobody allowed. */
export const chooseCall = async (
  session: Session,
  target: CheckTarget,
  plan: LoadPlan,
  onUntried?: OnUntried,
): Promise<ChosenCall> => {
  const tools = (await readList(session, 'tools/list', 'tools')).map(toListedTool);
  const given = plan.call ?? allowed(tools, target);
  if (given === undefined) return { call: healthCall(session.era), note: NO_TOOL };
  const call = await named(session, tools, given, onUntried);
  return { call, note: noteOn(call) };
};

export const chooseSlowCall = async (session: Session, plan: LoadPlan): Promise<LoadCall | undefined> => {
  if (plan.slowCall === undefined) return undefined;
  const tools = (await readList(session, 'tools/list', 'tools')).map(toListedTool);
  const call = await named(session, tools, plan.slowCall);
  return { ...call, canaryIn: undefined, echoes: false };
};
