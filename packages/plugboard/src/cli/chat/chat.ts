import { writeFile } from 'node:fs/promises';
import {
  type AgentRun,
  createProvider,
  type Message,
  parseModelAddress,
  resilientProvider,
  transcript,
  userText,
} from '@plugboard/agent';
import { linkSignals } from '@plugboard/base';
import { EXIT, type ExitCode, forTerminal, PlugboardError, toPlugboardError } from '@plugboard/contract';
import { explainError } from '../../terminal/explain-error.js';
import { readStdin } from '../input/read-stdin.js';
import type { CommandContext } from '../command/command-context.js';
import { Approvals, type AskLine } from './approvals.js';
import type { ChatPartner } from './chat-partner.js';
import { ChatScreen } from './chat-screen.js';
import { chatTools } from './chat-tools.js';
import { hubAgentPartner } from './hub-agent-partner.js';
import { LineReader } from './line-reader.js';
import { modelPartner } from './model-partner.js';
import { openModelRecorder } from './model-recording.js';
import { terminalAnswers } from './server-answers.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface ChatInput {
  readonly message: string;
  readonly model: string | undefined;
  /** An agent of the hub in place of a model. */
  readonly agent: string | undefined;
  readonly fallback: string | undefined;
  readonly baseUrl: string | undefined;
  readonly toolsets: readonly string[];
  readonly instructions: string | undefined;
  readonly maxTurns: number | undefined;
  readonly thinking: boolean;
  readonly yes: boolean;
  readonly transcript: string | undefined;
  readonly record: string | undefined;
}

const LEAVE: ReadonlySet<string> = new Set(['/exit', '/quit', 'exit', 'quit']);

const nothingAsked = (): PlugboardError =>
  invalidArgument('Nothing was asked.', "Give a message: plugboard chat --model … 'What is new?'");

/** The questions: that of the command line, that of standard input, or those that somebody types. */
const questionsOf = async function* (
  { process, out }: CommandContext,
  { message }: ChatInput,
  reader: LineReader | undefined,
): AsyncGenerator<string> {
  if (message !== '') {
    yield message;
    return;
  }
  if (reader === undefined || out.json) {
    const text = (await readStdin(process.stdin, process.signal)).trim();
    if (text === '') throw nothingAsked();
    yield text;
    return;
  }
  out.note('End with /exit or Ctrl-D.');
  for (;;) {
    const line = await reader.ask('› ', process.signal);
    if (line === undefined || LEAVE.has(line.trim())) return;
    if (line.trim() !== '') yield line;
  }
};

const ENDS: Readonly<Record<AgentRun['end'], string | undefined>> = {
  finished: undefined,
  'turn-limit': 'The limit of turns is reached. Raise --max-turns, or ask the agent to continue.',
  'tool-call-limit': 'The limit of tool calls is reached. Ask the agent to continue.',
  'token-limit': 'The limit of tokens is reached.',
  'time-limit': 'The time is up.',
};

const interrupted = (): PlugboardError =>
  new PlugboardError('CANCELLED', 'Interrupted. The question is not part of the conversation.', {
    hint: { api: 'Ask again.', cli: 'Ask again, or end with /exit or Ctrl-D.' },
  });

const retryNote = (message: string, waitMs: number): string =>
  `${message.replace(/[.:]?$/u, '.')} Retrying in ${Math.ceil(waitMs / 1000)} s.`;

/** Asks without anybody at a terminal: the answer is no, and what would change that is said once. */
const askNobody = (note: (text: string) => void): AskLine => {
  let told = false;
  return async () => {
    if (!told) note('Nobody can allow calls without a terminal. Use --yes to call tools without asking.');
    told = true;
    return undefined;
  };
};

/** What both kinds of partners ask the user. */
interface Asking {
  readonly approvals: Approvals;
  readonly askLine: AskLine;
  /** Is anybody there who can consent? */
  readonly canAsk: boolean;
}

interface OpenPartner {
  readonly partner: ChatPartner;
  close(): Promise<void>;
}

const openModel = async (
  context: CommandContext,
  input: ChatInput,
  name: string,
  asking: Asking,
): Promise<OpenPartner> => {
  const { process, out } = context;
  const address = parseModelAddress(name);
  const { fallback } = input;
  const real = resilientProvider(
    createProvider(address.provider, { baseUrl: input.baseUrl, variable: (variable) => process.env[variable] }),
    {
      onRetry: ({ message }, waitMs) => out.note(retryNote(message, waitMs)),
      ...(fallback === undefined ? {} : { fallback: { model: fallback } }),
    },
  );
  const recorder = await openModelRecorder(context, real, input.record);
  const close = async (): Promise<void> => {
    real.close();
    await recorder.close();
  };
  try {
    const { provider } = recorder;
    const { approvals, askLine, canAsk } = asking;
    // Nobody can consent without a terminal: servers are then not told that they may ask.
    const answers = canAsk
      ? terminalAnswers({
          provider,
          model: address.model,
          approve: approvals.decide,
          ask: askLine,
          remark: (text) => out.note(text),
        })
      : undefined;
    const { api } = await context.hub();
    const tools = await context.waiting('Reading the tools', () =>
      chatTools(api, { toolsets: input.toolsets, provider: provider.profile, signal: process.signal, answers }),
    );
    const partner = modelPartner(name, {
      provider,
      tools,
      model: address.model,
      system: input.instructions,
      maxTurns: input.maxTurns,
      request: input.thinking ? { thinking: { effort: 'medium' } } : {},
      ...(input.yes ? {} : { approve: approvals.approve }),
    });
    return { partner, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
};

const openAgent = async (
  context: CommandContext,
  { toolsets, instructions, thinking, yes }: ChatInput,
  agent: string,
  { approvals }: Asking,
): Promise<OpenPartner> => {
  const [toolset, another] = toolsets;
  if (another !== undefined) {
    throw invalidArgument(
      'An agent uses all that it was given, or one toolset.',
      'Give --toolset once, or leave it out.',
    );
  }
  const { api } = await context.hub();
  const approve = yes ? async () => true : approvals.decide;
  const partner = hubAgentPartner(api, { agent, toolset, instructions, thinking, approve });
  return { partner, close: () => Promise.resolve() };
};

const openPartner = (context: CommandContext, input: ChatInput, asking: Asking): Promise<OpenPartner> => {
  if (input.agent !== undefined) return openAgent(context, input, input.agent, asking);
  if (input.model !== undefined) return openModel(context, input, input.model, asking);
  throw invalidArgument(
    'Nobody was named who should answer.',
    'Give --model provider:model, or --agent with an agent of the hub.',
  );
};

export const run = async (context: CommandContext, input: ChatInput): Promise<ExitCode> => {
  const { process, out } = context;
  const isTTY = process.stdin.isTTY && process.stderr.isTTY;
  using reader = isTTY ? new LineReader(process.stdin.stream, process.rawStderr, true) : undefined;
  const screen = new ChatScreen({
    write: (text) => (out.json ? undefined : process.stdout.write(text)),
    remark: (text) => out.note(text),
    style: out.noteStyle,
    isTTY: out.isTTY,
  });
  let answering = process.signal;
  const askLine: AskLine =
    reader === undefined
      ? askNobody((text) => out.note(text))
      : (prompt) => screen.during(() => reader.askAnew(prompt, answering));
  const canAsk = reader !== undefined && !out.json;
  const open = await openPartner(context, input, { approvals: new Approvals(askLine), askLine, canAsk });
  const { partner } = open;
  try {
    out.note(`${partner.title}.`);
    let messages: readonly Message[] = [];
    let last: AgentRun | undefined;
    const answer = async (question: string): Promise<AgentRun | undefined> => {
      const interruption = new AbortController();
      using linked = linkSignals(process.signal, interruption.signal);
      answering = linked.signal;
      if (reader !== undefined) reader.onInterrupt = () => interruption.abort(interrupted());
      let done: AgentRun | undefined;
      try {
        for await (const event of partner.answer([...messages, userText(question)], answering)) {
          screen.show(event);
          if (event.type === 'done') done = event.run;
        }
        return done;
      } catch (thrown) {
        // A conversation outlives an answer that failed.
        if (process.signal.aborted || reader === undefined || input.message !== '' || out.json) throw thrown;
        screen.end();
        out.problem(
          explainError(forTerminal(toPlugboardError(thrown).toJSON()), out.noteStyle, process.stderr.columns),
        );
        return undefined;
      } finally {
        answering = process.signal;
        if (reader !== undefined) reader.onInterrupt = undefined;
      }
    };
    for await (const question of questionsOf(context, input, reader)) {
      const done = await answer(question);
      if (done === undefined) continue;
      last = done;
      messages = done.messages;
      const ending = ENDS[done.end];
      if (ending !== undefined) out.problem(ending);
      if (input.transcript !== undefined) await writeFile(input.transcript, transcript(messages));
    }
    out.data(last ?? null);
    return last === undefined || last.end === 'finished' ? EXIT.ok : EXIT.failed;
  } finally {
    screen.end();
    await open.close();
  }
};
