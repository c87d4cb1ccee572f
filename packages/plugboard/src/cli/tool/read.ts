import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import { rpc, rpcListOrNone } from '../../hub-api/json-rpc.js';
import { usableServer } from '../../hub-api/client/usable-tools.js';
import { sizeWords } from '../render/content.js';
import type { Output } from '../../terminal/output.js';
import { printableLine } from '../../terminal/printable.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';

export interface ReadInput {
  readonly server: string;
  readonly uri?: string | undefined;
  /** A file instead of stdout. */
  readonly output?: string | undefined;
}

const resource = z.looseObject({
  uri: z.string().optional(),
  uriTemplate: z.string().optional(),
  name: z.string().optional(),
  mimeType: z.string().optional(),
  description: z.string().optional(),
});
type Resource = z.infer<typeof resource>;

const contents = z.object({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  ),
});
type Part = z.infer<typeof contents>['contents'][number];

const COLUMNS: readonly Column<Resource>[] = [
  { title: 'URI', text: (entry) => printableLine(entry.uri ?? entry.uriTemplate ?? ''), shrinkTo: 24 },
  { title: 'TYPE', text: (entry) => printableLine(entry.mimeType ?? ''), shrinkTo: 10 },
  { title: 'NAME', text: (entry) => printableLine(entry.name ?? ''), shrinkTo: 8 },
  { title: 'DESCRIPTION', text: (entry) => printableLine(entry.description ?? ''), shrinkTo: 8 },
];

const listAll = async ({ out, hub, waiting }: CommandContext, name: string): Promise<ExitCode> => {
  const client = await hub();
  const { name: server } = await usableServer(client, name);
  const [resources, templates] = await waiting(`Listing the resources of ${server}`, async () => [
    await rpcListOrNone(client.api, { server, method: 'resources/list' }, 'resources'),
    await rpcListOrNone(client.api, { server, method: 'resources/templates/list' }, 'resourceTemplates'),
  ]);
  out.data({ resources, resourceTemplates: templates });
  const rows = [...(resources ?? []), ...(templates ?? [])].flatMap((entry) => {
    const parsed = resource.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
  if (rows.length === 0) out.note(`${server} offers no resources.`);
  else if (out.quiet) out.text(rows.map((row) => printableLine(row.uri ?? row.uriTemplate ?? '')).join('\n'));
  else out.text(formatTable(COLUMNS, rows, out));
  return EXIT.ok;
};

const bytesOf = (part: Part): Uint8Array =>
  part.text === undefined ? Buffer.from(part.blob ?? '', 'base64') : Buffer.from(part.text, 'utf8');

const show = (part: Part, out: Output): void => {
  if (part.text !== undefined) {
    out.verbatim(part.text);
  } else if (!out.isTTY) {
    out.bytes(bytesOf(part));
  } else {
    out.note(
      `[${printableLine(part.uri)} ${printableLine(part.mimeType ?? '')}, ${sizeWords(bytesOf(part).length)}: save it with --output <file>]`,
    );
  }
};

const readOne = async (
  { out, hub, waiting, process }: CommandContext,
  input: ReadInput,
  uri: string,
): Promise<ExitCode> => {
  const client = await hub();
  const { name: server } = await usableServer(client, input.server);
  const answer = await waiting(`Reading ${uri}`, () =>
    rpc(client.api, { server, method: 'resources/read', params: { uri } }),
  );
  const parsed = contents.safeParse(answer);
  if (!parsed.success) {
    throw new PlugboardError('UPSTREAM_PROTOCOL', `The answer of ${server} is not the content of a resource.`);
  }
  if (input.output !== undefined) {
    const bytes = Buffer.concat(parsed.data.contents.map(bytesOf));
    await writeFile(resolve(process.cwd, input.output), bytes);
    out.data({ written: input.output, bytes: bytes.length });
    out.note(`Wrote ${sizeWords(bytes.length)} to ${input.output}.`);
    return EXIT.ok;
  }
  out.data(answer);
  if (!out.json) for (const part of parsed.data.contents) show(part, out);
  return EXIT.ok;
};

export const run = (context: CommandContext, input: ReadInput): Promise<ExitCode> =>
  input.uri === undefined ? listAll(context, input.server) : readOne(context, input, input.uri);
