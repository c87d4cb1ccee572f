import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source.js';

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: folder === 'docs' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => normalize(join(folder, name)));

const documents = [...markdownIn('.'), ...markdownIn('docs')];

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gmu, '').replaceAll(/`[^`\n]*`/gu, '');

/** The anchors that headings get, on the site as on GitHub. */
const anchorsOf = (file: string): ReadonlySet<string> => {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of readFileSync(join(root, file), 'utf8').matchAll(/^#{1,6} (.+)$/gmu)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
};

const brokenLinks = (file: string): readonly string[] => {
  const text = withoutCode(readFileSync(join(root, file), 'utf8'));
  return [...text.matchAll(/\]\((?<href>[^)\s]+)\)/gu)]
    .map(({ groups }) => groups?.['href'] ?? '')
    .filter((href) => !/^[a-z][a-z+.-]*:/iu.test(href))
    .filter((href) => {
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
};

describe('documentation', () => {
  it.each(documents)('%s links to what exists', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  it('names every page in the navigation of the site', () => {
    const navigation = readFileSync(join(root, 'docs/site/navigation.mjs'), 'utf8');
    const pages = documents
      .filter((file) => /^docs\/(?!decisions|conformance\/)/u.test(file))
      .map((file) => file.slice('docs/'.length, -'.md'.length));
    expect(pages.filter((page) => !navigation.includes(`'${page}'`))).toEqual([]);
  });

  it('numbers every decision, without gaps, and gives its status', () => {
    const pages = readdirSync(join(root, 'docs/decisions'))
      .filter((name) => name !== 'README.md')
      .toSorted();
    const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
    for (const [position, name] of pages.entries()) {
      expect(name.slice(0, 5)).toBe(`${String(position + 1).padStart(4, '0')}-`);
      expect(index).toContain(`(${name})`);
      const text = readFileSync(join(root, 'docs/decisions', name), 'utf8');
      expect(text).toMatch(/^Status: (?:proposed|accepted|superseded by \d{4}), \d{4}-\d{2}-\d{2}$/mu);
    }
  });
});
