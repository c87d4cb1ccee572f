// What the search box searches: every section of every page.
import MiniSearch from 'minisearch';
import { slugOf } from './markdown.mjs';
import { SEARCH_OPTIONS } from './search-options.js';

const EXCERPT = 180;

const plain = (markdown) =>
  markdown
    .replaceAll(/^```.*$/gmu, '')
    .replaceAll(/^\|[-| ]+\|$/gmu, '')
    .replaceAll(/[`*|#>]/gu, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const sectionsOf = ({ slug, title, text }) => {
  const seen = new Map();
  return text.split(/^(?=#{1,3} )/mu).map((section) => {
    const heading = /^#{1,3} (.+)$/mu.exec(section)?.[1]?.replaceAll('`', '') ?? title;
    const anchor = slugOf(heading);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    const body = plain(section.replace(/^#.*$/mu, ''));
    const page = slug === 'index' ? '' : slug;
    return {
      id: `${page}#${anchor}${count === 0 ? '' : `-${count}`}`,
      title,
      heading,
      text: body,
      excerpt: body.slice(0, EXCERPT),
    };
  });
};

export const searchIndex = (pages) => {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(pages.filter(({ chapter }) => chapter !== undefined).flatMap(sectionsOf));
  return JSON.stringify(index);
};
