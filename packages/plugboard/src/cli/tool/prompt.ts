import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import { rpc, rpcListOrNone } from '../../hub-api/json-rpc.js';
import { usableServer } from '../../hub-api/client/usable-tools.js';
import { asWritten, contentWords } from '../render/content.js';
import { someOf } from '../../terminal/count.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import { printableBlock, printableLine } from '../../terminal/printable.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';
import { parsePairs } from '../input/pair-flags.js';
import { didYouMean } from '../../terminal/did-you-mean.js';

export interface PromptInput {
  readonly server: string;
  readonly name?: string | undefined;
  readonly arg: readonly string[];
}

const prompt = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  arguments: z.array(z.looseObject({ name: z.string(), required: z.boolean().optional() })).optional(),
});
type Prompt = z.infer<typeof prompt>;

const messages = z.object({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

const argumentWords = (entry: Prompt): string =>
  (entry.arguments ?? []).map(({ name, required }) => (required === true ? name : `[${name}]`)).join(' ');

const COLUMNS: readonly Column<Prompt>[] = [
  { title: 'PROMPT', text: (entry) => printableLine(entry.name), shrinkTo: 16 },
  { title: 'ARGUMENTS', text: (entry) => printableLine(argumentWords(entry)), shrinkTo: 12 },
  { title: 'DESCRIPTION', text: (entry) => printableLine(entry.description ?? ''), shrinkTo: 12 },
];

/** Refuses what the server would refuse less clearly: an unknown prompt or argument, or one that is missing. */
const assertPrompt = (
  server: string,
  known: readonly Prompt[],
  name: string,
  given: Readonly<Record<string, string>>,
): void => {
  const found = known.find((entry) => entry.name === name);
  if (found === undefined) {
    const names = known.map((entry) => entry.name);
    throw new PlugboardError('NOT_FOUND', `${server} has no prompt called "${name}".`, {
      hint: didYouMean(name, names, `It has ${someOf(names.map(printableLine), 12) || 'none'}.`),
    });
  }
  const missing = (found.arguments ?? []).filter((entry) => entry.required === true && given[entry.name] === undefined);
  if (missing.length > 0) {
    throw new PlugboardError(
      'INVALID_ARGUMENT',
      `The prompt "${name}" needs ${missing.map((entry) => `"${entry.name}"`).join(' and ')}.`,
      {
        hint: `Give it as ${shellQuote(missing.flatMap(({ name }) => ['--arg', `${name}=…`]))}.`,
      },
    );
  }
};

export const run = async (context: CommandContext, input: PromptInput): Promise<ExitCode> => {
  const { out, hub, waiting } = context;
  const args = parsePairs('--arg', input.arg);
  const client = await hub();
  const { name: server } = await usableServer(client, input.server);
  const listed = await waiting(`Listing the prompts of ${server}`, () =>
    rpcListOrNone(client.api, { server, method: 'prompts/list' }, 'prompts'),
  );
  const known = listed.flatMap((entry) => {
    const parsed = prompt.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
  if (input.name === undefined) {
    out.data(known);
    if (known.length === 0) {
      out.note(`${server} offers no prompts.`);
    } else {
      out.text(
        out.quiet ? known.map((entry) => printableLine(entry.name)).join('\n') : formatTable(COLUMNS, known, out),
      );
    }
    return EXIT.ok;
  }
  assertPrompt(server, known, input.name, args);
  const answer = await rpc(client.api, {
    server,
    method: 'prompts/get',
    params: { name: input.name, arguments: args },
  });
  const parsed = messages.safeParse(answer);
  if (!parsed.success) throw new PlugboardError('UPSTREAM_PROTOCOL', `The answer of ${server} is not a prompt.`);
  out.data(answer);
  const shown = parsed.data.messages
    .map(({ role, content }) => {
      // The text of a prompt must not look like ours on a terminal, and must not change in a pipe.
      const text = contentWords(content, out.isTTY ? printableBlock : asWritten);
      return `${out.style.bold(`${printableLine(role)}:`)} ${text}`;
    })
    .join('\n\n');
  if (out.isTTY) out.text(shown);
  else out.verbatim(shown);
  return EXIT.ok;
};
