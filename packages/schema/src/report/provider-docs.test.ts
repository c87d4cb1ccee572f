import { expect, it } from 'vitest';
import { PROFILE_IDS } from '../profile/registry.js';
import { renderProviderDocs, type CorpusServer } from './provider-docs.js';

const server = (name: string, tools: CorpusServer['tools']): CorpusServer => ({
  package: name,
  version: '1.2.3',
  collected: '2026-01-02',
  tools,
});

const plain = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const union = {
  type: 'object',
  properties: { place: { oneOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'integer' } } }] } },
};

const page = renderProviderDocs([
  server('zebra', [{ name: 'find', description: 'Finds a place.', inputSchema: union }]),
  server('aardvark', [
    { name: 'weather', description: 'Tells the weather of a city.', inputSchema: plain },
    { name: 'broken', description: 'Has no object.', inputSchema: { type: 'string' } },
  ]),
]);

const section = (title: string): string => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

it('counts the tools and the servers, which come by name', () => {
  expect(page).toContain(`How ${PROFILE_IDS.length} providers and hosts accept 3 tools from 2 npm packages`);
  expect(section('The corpus')).toMatch(/\| aardvark \| 1\.2\.3 \| 2026-01-02 \| 2 \| \d+ \|\n\| zebra \|/u);
});

it('tells for each profile how many tools are accepted, rewritten and rejected', () => {
  const rows = section('Before and after').match(/^\| `.*$/gmu) ?? [];
  expect(rows).toHaveLength(PROFILE_IDS.length);
  for (const row of rows) {
    const [asPublished = 0, adapted = 0, lossless = 0, lossy = 0, rejected = 0] = row
      .split('|')
      .slice(2, 7)
      .map(Number);
    expect(adapted).toBe(asPublished + lossless + lossy);
    expect(adapted + rejected).toBe(3);
    expect(row).toMatch(/\d → \d of 2 \|$/u);
  }
});

it('names the reasons of each profile, each counted once for a tool', () => {
  const openai = page.split('(`openai-strict`)')[1]?.split('\n### ')[0] ?? '';
  expect(openai).toContain('Tools rejected as published, by reason:');
  expect(openai).toMatch(/^- \d × OAI-\d\d: /mu);
});

it('has the grades, the lint rules and the sources of every rule', () => {
  expect(section('Grades')).toMatch(/\| `default` \| \d \| \d \| 1 \|/u);
  expect(section('Lint')).toContain('| SEC-15 | shadowing | warning | 0 | 0 |');
  for (const id of PROFILE_IDS) expect(section('Rules and their sources')).toContain(`| \`${id}\` |`);
});
