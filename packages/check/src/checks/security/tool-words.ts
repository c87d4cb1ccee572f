import type { ListedTool } from '../../calls/tool.js';

/** How a name looks at a glance: without case and separators, with look-alike characters as one. */
const lookOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .replaceAll(/[-_.\s/]/gu, '')
    .replaceAll('0', 'o')
    .replaceAll(/[1|!]/gu, 'l')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

/** Pairs of names that look the same. */
export const alike = (names: readonly string[]): readonly (readonly [string, string])[] => {
  const seen = new Map<string, string>();
  return names.flatMap((name) => {
    const look = lookOf(name);
    const other = seen.get(look);
    if (other === undefined) seen.set(look, name);
    return other === undefined || other === name ? [] : [[other, name] as const];
  });
};

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);

const CHANGING: ReadonlySet<string> = new Set(
  'create delete remove update write insert drop send post publish upload rename move set patch put merge execute install deploy destroy purge'.split(
    ' ',
  ),
);

/** Whether the first word of the name says that the tool changes something. */
export const changesThings = ({ name }: ListedTool): boolean => CHANGING.has(wordsOf(name)[0] ?? '');

export interface ToxicFlow {
  readonly untrusted: string;
  readonly sensitive: string;
  readonly harmful: string;
}

const UNTRUSTED =
  /\b(?:fetch|browse|crawl|scrape|web|internet|inbox|emails?|messages?|issues?|comments?|tickets?|feeds?)\b/iu;
const SENSITIVE =
  /\b(?:files?|folders?|secrets?|passwords?|credentials?|tokens?|private|contacts|calendar|database|records?|keys?)\b/iu;
const HARMFUL: ReadonlySet<string> = new Set(
  'send post publish upload email delete remove drop execute run write transfer pay'.split(' '),
);

const textOf = ({ name, definition }: ListedTool): string =>
  `${wordsOf(name).join(' ')} ${typeof definition['description'] === 'string' ? definition['description'] : ''}`;

/** Three tools that together carry private things out, told what to do by strangers; undefined when one of them is missing. */
export const toxicFlows = (tools: readonly ListedTool[]): ToxicFlow | undefined => {
  const harmful = tools.find(
    (tool) => tool.annotations['readOnlyHint'] !== true && wordsOf(tool.name).some((word) => HARMFUL.has(word)),
  );
  const others = tools.filter((tool) => tool !== harmful);
  const untrusted = others.find((tool) => UNTRUSTED.test(textOf(tool)) && tool.annotations['openWorldHint'] !== false);
  const sensitive = others.find((tool) => tool !== untrusted && SENSITIVE.test(textOf(tool)));
  if (harmful === undefined || untrusted === undefined || sensitive === undefined) return undefined;
  return { untrusted: untrusted.name, sensitive: sensitive.name, harmful: harmful.name };
};
