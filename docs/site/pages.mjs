// Which files are pages, and under what name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAVIGATION } from './navigation.mjs';

/** Read only by those who follow a link: reachable, and not in the navigation. */
const UNLISTED = /^docs\/(?:decisions|conformance)\//u;

const fileOf = (slug) => (/^[A-Z]+$/u.test(slug) ? `${slug}.md` : `docs/${slug}.md`);

const markdownUnder = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const titleOf = (text, file) => {
  const title = /^# (.+)$/mu.exec(text)?.[1];
  if (title === undefined) throw new Error(`${file} has no title.`);
  return title.replaceAll('`', '');
};

/** Every page with its file, text, title and chapter, in the order of the navigation. */
export const readPages = (root) => {
  const listed = NAVIGATION.flatMap(({ chapter, pages }) =>
    pages.map((slug) => ({ chapter, slug, file: fileOf(slug) })),
  );
  const known = new Set(listed.map(({ file }) => file));
  const others = markdownUnder(root, 'docs').filter((file) => !known.has(file));
  const forgotten = others.filter((file) => !UNLISTED.test(file));
  if (forgotten.length > 0) throw new Error(`Not in docs/site/navigation.mjs: ${forgotten.join(', ')}`);
  const unlisted = others.map((file) => ({
    chapter: undefined,
    slug: file.slice('docs/'.length, -'.md'.length),
    file,
  }));
  return [...listed, ...unlisted].map((page) => {
    const text = readFileSync(join(root, page.file), 'utf8');
    return { ...page, text, title: titleOf(text, page.file) };
  });
};
