// The documentation as a site: every page under docs/, read as it is, so that it reads as well without the site.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NAVIGATION } from './navigation.mjs';
import { contentsOf, highlight, siteMarkdown } from './markdown.mjs';
import { readPages } from './pages.mjs';
import { searchIndex } from './search-index.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const PREFIX = '/docs/';

/** What the generator is told. */
export const configure = (eleventy) => {
  const pages = readPages(root);
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const listed = pages.filter(({ chapter }) => chapter !== undefined);
  const site = { pages: new Map(pages.map(({ file, slug }) => [file, slug])), prefix: PREFIX, root };

  eleventy.amendLibrary('md', (markdown) => {
    markdown.set({ html: false, linkify: false, highlight });
    markdown.use(siteMarkdown(site));
    const render = markdown.render.bind(markdown);
    markdown.render = (text, data) => render(text, { source: data?.file });
  });
  eleventy.addFilter('contents', contentsOf);
  eleventy.addGlobalData('prefix', PREFIX);
  eleventy.addGlobalData(
    'navigation',
    NAVIGATION.map(({ chapter, pages: slugs }) => ({
      chapter,
      pages: slugs.map((slug) => ({ slug, title: bySlug.get(slug).title, href: slug === 'index' ? '' : slug })),
    })),
  );
  for (const page of pages) {
    const at = listed.indexOf(page);
    eleventy.addTemplate(`${page.slug}.md`, page.text, {
      layout: 'page.njk',
      permalink: `${page.slug}.html`,
      title: page.title,
      slug: page.slug,
      file: page.file,
      before: listed[at - 1],
      after: at === -1 ? undefined : listed[at + 1],
      templateEngineOverride: 'md',
    });
  }
  eleventy.addTemplate('search.11ty.js', { data: { permalink: 'search.json' }, render: () => searchIndex(pages) });
  eleventy.addPassthroughCopy({ [join(here, 'style.css')]: 'style.css' });
  for (const name of ['search.js', 'search-options.js', 'page.js', 'favicon.svg']) {
    eleventy.addPassthroughCopy({ [join(here, name)]: name });
  }
  const minisearch = fileURLToPath(import.meta.resolve('minisearch'));
  eleventy.addPassthroughCopy({ [minisearch]: 'minisearch.js' });
  eleventy.addPassthroughCopy({ [join(root, 'docs/*.json')]: '.' });
  eleventy.addPassthroughCopy({ [join(root, 'docs/images')]: 'images' });
  eleventy.setQuietMode(true);
};
