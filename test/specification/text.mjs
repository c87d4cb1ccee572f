/** Which section of which revision an address names; undefined when it is not one of the specification. */
export const citationOf = (url) => {
  const found =
    /modelcontextprotocol\.io\/specification\/(?<revision>\d{4}-\d\d-\d\d)\/(?<page>[^#]*)#?(?<anchor>.*)$/u.exec(url);
  return found === null ? undefined : { ...found.groups };
};

/** The words of a piece of MDX, without what only lays it out. */
export const plainText = (mdx) =>
  mdx
    .replaceAll(/<\/?[A-Za-z][^>]*>/gu, ' ')
    .replaceAll(/&#x(?<code>[0-9A-F]+);/giu, (_all, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&nbsp;|&mdash;/gu, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/\[([^\]]*)\]\[[^\]]*\]/gu, '$1')
    .replaceAll(/^\s*(?:[-*]|\d+\.)\s+/gmu, ' ')
    .replaceAll(/[’‘]/gu, "'")
    .replaceAll(/[`*_>\\|{}—]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\s+([.,:;)])/gu, '$1')
    .replaceAll(/\(\s+/gu, '(')
    .trim();

const slug = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[`*]/gu, '')
    .replaceAll(/[^a-z0-9\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/gu, '-');

/** The section under a heading, its parts included; the whole page for an anchor that is no heading of it. */
export const sectionOf = (mdx, anchor) => {
  const lines = mdx.split('\n');
  let fence = false;
  const headings = lines.flatMap((line, index) => {
    if (/^\s*```/u.test(line)) fence = !fence;
    const found = fence ? null : /^(?<marks>#+)\s+(?<title>.*)$/u.exec(line);
    return found === null ? [] : [{ index, depth: found.groups.marks.length, id: slug(found.groups.title) }];
  });
  const start = headings.findIndex(({ id }) => id === anchor);
  if (start === -1) return anchorOfSchema(mdx, anchor) ?? mdx;
  const { depth, index } = headings[start];
  const end = headings.slice(start + 1).find((heading) => heading.depth <= depth)?.index ?? lines.length;
  return lines.slice(index, end).join('\n');
};

/** The page of the schema has types as blocks with an id, not as headings. */
const anchorOfSchema = (mdx, anchor) => {
  const at = mdx.toLowerCase().indexOf(`id="${anchor.toLowerCase()}"`);
  if (at === -1) return undefined;
  const next = mdx.slice(at + 10).search(/\n### /u);
  return mdx.slice(at, next === -1 ? undefined : at + 10 + next);
};
