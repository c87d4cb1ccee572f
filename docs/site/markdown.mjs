// How our Markdown becomes HTML: anchors as GitHub makes them, links between files as links between pages.
import { existsSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import hljs from 'highlight.js/lib/common';
import { isTranscript, shellHtml, transcriptHtml } from './shell.mjs';

const OUTSIDE = /^(?:[a-z][a-z+.-]*:|#|\/)/iu;

/** The anchor that GitHub gives to a heading of this text. */
export const slugOf = (text) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');

const SHELL = new Set(['sh', 'bash', 'shell', 'console']);

export const highlight = (code, language) => {
  if (isTranscript(code) && (language === '' || language === 'text' || SHELL.has(language))) {
    return transcriptHtml(code);
  }
  if (SHELL.has(language)) return shellHtml(code);
  const known = hljs.getLanguage(language) === undefined ? undefined : language;
  return known === undefined ? '' : hljs.highlight(code, { language: known }).value;
};

const textOf = (inline) =>
  (inline.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');

const anchorHeadings = (markdown) => {
  markdown.core.ruler.push('anchors', (state) => {
    const seen = new Map();
    for (const [index, token] of state.tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const slug = slugOf(textOf(state.tokens[index + 1]));
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
    }
  });
};

/** Where a link of a Markdown file leads on the site; undefined when it names a file that is not part of it. */
const siteTarget = (href, { source, pages, prefix, root }) => {
  const [path, anchor] = href.split('#');
  const file = normalize(join(dirname(source), path));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const page = pages.get(file);
  if (page !== undefined) return `${prefix}${page === 'index' ? '' : page}${hash}`;
  if (!existsSync(join(root, file))) throw new Error(`${source} links to ${href}, which does not exist.`);
  return file.startsWith('docs/') && file.endsWith('.json') ? `${prefix}${relative('docs', file)}` : undefined;
};

const linkPages = (markdown, site) => {
  markdown.core.ruler.push('page-links', (state) => {
    for (const { children } of state.tokens) {
      let dropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && dropped) {
          [token.type, token.tag, dropped] = ['text', '', false];
          continue;
        }
        const href = token.type === 'link_open' ? token.attrGet('href') : null;
        if (href === null || OUTSIDE.test(href)) continue;
        const target = siteTarget(href, { ...site, source: state.env.source });
        if (target === undefined) {
          // A file of the repository that is not on the site: its name stays, the link goes.
          [token.type, token.tag, dropped] = ['text', '', true];
        } else {
          token.attrSet('href', target);
        }
      }
    }
  });
};

/** A mark beside each heading that leads to itself. */
const linkHeadings = (markdown) => {
  markdown.renderer.rules.heading_close = (tokens, index) => {
    const opening = tokens.slice(0, index).findLast(({ type }) => type === 'heading_open');
    const id = opening?.attrGet('id');
    const { tag } = tokens[index];
    if (tag === 'h1' || id === undefined || id === null) return `</${tag}>\n`;
    return ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></${tag}>\n`;
  };
};

/** Pictures lie beside the pages, under one folder of the site. */
const placeImages = (markdown, { prefix, root }) => {
  markdown.core.ruler.push('images', (state) => {
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'image') continue;
      const file = normalize(join(dirname(state.env.source), token.attrGet('src')));
      if (!existsSync(join(root, file))) throw new Error(`${state.env.source} shows ${file}, which does not exist.`);
      token.attrSet('src', `${prefix}${relative('docs', file)}`);
    }
  });
};

const wrapTables = (markdown) => {
  markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
};

/** A plug-in for markdown-it. `site`: pages (file → slug), prefix of every address, root of the repository. */
export const siteMarkdown = (site) => (markdown) => {
  anchorHeadings(markdown);
  linkPages(markdown, site);
  linkHeadings(markdown);
  placeImages(markdown, site);
  wrapTables(markdown);
};

const HEADING = /<h(?<level>[23]) id="(?<id>[^"]+)"[^>]*>(?<html>.*?) <a class="anchor"/gsu;

/** The sections of a page, for its table of contents. */
export const contentsOf = (html) =>
  [...html.matchAll(HEADING)].map(({ groups: { level, id, html: inner } }) => ({
    level: Number(level),
    id,
    text: inner.replaceAll(/<[^>]+>/gu, ''),
  }));
