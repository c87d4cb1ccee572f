import { readFileSync } from 'node:fs';
import type { CheckLevel, CheckSource } from '@plugboard/contract';
import { describe, expect, test } from 'vitest';
import { citationOf, plainText } from '../../specification/text.mjs';
import { levelFor, sourceFor } from '../../../packages/check/src/model/check.js';
import { CHECKS } from '../../../packages/check/src/checks/registry.js';

// The text of the specification's sections, written by scripts/specification-sections.mjs.
const SECTIONS = JSON.parse(
  readFileSync(new URL('../../specification/sections.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;

interface Cited {
  readonly what: string;
  readonly id: string;
  readonly level: CheckLevel;
  readonly source: CheckSource;
}

const CITED: readonly Cited[] = CHECKS.flatMap((check) =>
  (check.eras === 'both' ? (['modern'] as const) : check.eras).map((era) => ({
    what: `${check.id} ${era}`,
    id: check.id,
    level: levelFor(check, era),
    source: sourceFor(check, era),
  })),
);

const words = (text: string): string => plainText(text).toLowerCase();

const missingIn = ({ sentence, url }: CheckSource): readonly string[] => {
  const citation = citationOf(url);
  if (citation === undefined || sentence.startsWith('Rule of ')) return [];
  const text = words(SECTIONS[`${citation.revision}/${citation.page}#${citation.anchor}`] ?? '');
  return sentence.split('[…]').filter((part) => !text.includes(words(part)));
};

/** MUST checks whose sentence describes a shape: the published schema, or the standard that it names, is what demands it. */
const SHAPES: Readonly<Record<string, string>> = {
  'TOL-11': 'CallToolResult in the schema',
  'PRM-02': 'PromptMessage in the schema',
  'RES-10': 'Annotations in the schema',
  'LOG-04': 'LoggingMessageNotification in the schema',
  'PAG-01': 'PaginatedResult in the schema',
  'SSE-03': 'the definition of the transport',
  'HTP-21': 'the format of event streams in HTML',
};

const DEMANDS = /\b(?:MUST|SHALL|REQUIRED|Must not)\b/u;

describe('the sentence that a check cites', () => {
  test('stands in the specification, in that revision and section', () => {
    expect(
      CITED.flatMap(({ what, source }) => missingIn(source).map((part) => `${what}: ${part} <${source.url}>`)),
    ).toEqual([]);
  });

  test('demands what the level says: a MUST cites a MUST', () => {
    const weak = CITED.filter(
      ({ id, level, source }) => level === 'MUST' && !Object.hasOwn(SHAPES, id) && !DEMANDS.test(source.sentence),
    );
    expect(weak.map(({ what, source }) => `${what}: ${source.sentence}`)).toEqual([]);
  });

  test('would be missed if it were invented', () => {
    const url = 'https://modelcontextprotocol.io/specification/2025-11-25/basic/index#requests';
    expect(missingIn({ url, sentence: 'Requests MUST include a string or integer ID.' })).toEqual([]);
    expect(missingIn({ url, sentence: 'Requests MUST include a colour.' })).toHaveLength(1);
  });
});
