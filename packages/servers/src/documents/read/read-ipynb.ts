import { z } from 'zod';
import { DocumentError } from '../document-error.js';
import { decodeText } from './decode-text.js';
import { markdownTree, parseHtml } from './html-tree.js';
import { ImageCollector } from '../tree/image-collector.js';
import { markdownBlocks } from './read-markdown.js';
import type { DocumentReader, ReadOptions } from '../tree/document-reader.js';
import { safeLink, settleReferences } from '../tree/settle-references.js';
import { paragraph, text, type Block } from '../tree/tree.js';

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? value : value.join('')));

const output = z.object({
  output_type: z.string(),
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});

const notebook = z.object({
  nbformat: z.number(),
  metadata: z
    .object({
      kernelspec: z.object({ language: z.string().optional() }).optional(),
      language_info: z.object({ name: z.string().optional() }).optional(),
      title: z.string().optional(),
    })
    .default({}),
  cells: z.array(z.object({ cell_type: z.string(), source: lines, outputs: z.array(output).optional() })).max(100_000),
});

type Output = z.infer<typeof output>;

interface Reading {
  readonly options: ReadOptions;
  readonly collector: ImageCollector;
  readonly lost: { outputs: number };
}

const listing = (value: string, lang?: string): readonly Block[] =>
  value.trim() === ''
    ? []
    : [{ type: 'code', value: value.replace(/\n$/u, ''), ...(lang === undefined ? {} : { lang }) }];

// Terminals colour their text with these.
const withoutColours = (value: string): string => value.replaceAll(/\u001B\[[0-9;]*[A-Za-z]/gu, '');

const richOutput = (
  data: Readonly<Record<string, unknown>>,
  { options, collector, lost }: Reading,
): readonly Block[] => {
  const read = (type: string): string | undefined => {
    const parsed = lines.safeParse(data[type]);
    return parsed.success ? parsed.data : undefined;
  };
  const html = read('text/html');
  if (html !== undefined) return markdownTree(parseHtml(html, options.limits.depth)).children;
  const markdown = read('text/markdown');
  if (markdown !== undefined) return markdownBlocks(markdown);
  const picture = ['image/png', 'image/jpeg', 'image/gif'].find((type) => read(type) !== undefined);
  if (picture !== undefined) {
    const url = collector.addDataUrl(`data:${picture};base64,${(read(picture) ?? '').replaceAll(/\s/gu, '')}`);
    if (url !== undefined) return [paragraph({ type: 'image', url, alt: '' })];
  }
  const plain = read('text/plain');
  if (plain === undefined && picture === undefined) lost.outputs += 1;
  return plain === undefined ? [] : listing(withoutColours(plain), 'text');
};

const outputBlocks = (result: Output, reading: Reading): readonly Block[] => {
  if (result.output_type === 'stream') return listing(withoutColours(result.text ?? ''), 'text');
  if (result.output_type === 'error') return [paragraph(text(`${result.ename ?? 'Error'}: ${result.evalue ?? ''}`))];
  return richOutput(result.data ?? {}, reading);
};

const open = (bytes: Uint8Array): z.infer<typeof notebook> => {
  try {
    return notebook.parse(JSON.parse(decodeText(bytes)));
  } catch {
    throw new DocumentError('DAMAGED', 'The notebook cannot be read.');
  }
};

/** Text cells as they are, code cells as listings, each with what it printed or showed. */
export const readIpynb: DocumentReader = (bytes, options) => {
  const { metadata, cells } = open(bytes);
  const language = metadata.kernelspec?.language ?? metadata.language_info?.name;
  const reading: Reading = { options, collector: new ImageCollector(options), lost: { outputs: 0 } };
  const children = cells.flatMap(({ cell_type: kind, source, outputs = [] }): readonly Block[] => {
    if (kind === 'markdown') return markdownBlocks(source);
    if (kind !== 'code') return listing(source);
    return [...listing(source, language), ...outputs.flatMap((result) => outputBlocks(result, reading))];
  });
  const names = new Set(reading.collector.images.map(({ name }) => name));
  const tree = settleReferences(
    { type: 'root', children },
    { image: (url) => (names.has(url) ? url : safeLink(url)), link: safeLink },
  );
  const { outputs } = reading.lost;
  return {
    tree,
    title: metadata.title,
    images: reading.collector.images,
    warnings: [
      ...(outputs === 0 ? [] : [`${outputs} outputs of cells were left out: they have no text form.`]),
      ...reading.collector.warnings,
    ],
  };
};
