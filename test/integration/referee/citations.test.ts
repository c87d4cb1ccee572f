import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CheckLevel, CheckSource } from '@plugboard/contract';
import { describe, expect, test } from 'vitest';
import { citationOf, plainText } from '../../specification/text.mjs';
import { levelFor, sourceFor } from '../../../packages/check/src/model/check.js';
import { CHECKS } from '../../../packages/check/src/checks/registry.js';

const jsonOf = (name: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`../../specification/${name}.json`, import.meta.url), 'utf8')) as Readonly<
    Record<string, string>
  >;

// The text of the specification's sections, written by scripts/specification-sections.mjs.
const SECTIONS = jsonOf('sections');

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

/** A sentence whose first demand is made of a client: the server under test cannot break it. */
const isForClients = (sentence: string): boolean => {
  const [beforeDemand = ''] = sentence.split(/\bMUST\b/u);
  const isOfServer = /, (?:(?:the|a|an|MCP) )*servers? $/iu.test(beforeDemand);
  return !isOfServer && /^(?:The |MCP |When a |If (?:a|the) )*clients?\b(?! (?:and|or) )[^.]*$/iu.test(beforeDemand);
};

/** Since which legacy revision a sentence stands in the text, where that is not the first one. */
const SINCE = jsonOf('since');

/** MUST checks whose sentence is newer than what it demands. */
const REWORDED: Readonly<Record<string, readonly string[]>> = {
  'the transport and authorization came with 2025-03-26, and so did the sentence': [
    'LIF-05',
    'HTP-02',
    'HTP-03',
    'HTP-11',
    'HTP-14',
    'HTP-16',
    'HTP-24',
    'HTP-25',
    'HTP-26',
    'HTP-27',
    'AUT-11',
  ],
  'older texts demand it in other words': [
    'RPC-02',
    'RPC-04',
    'RPC-11',
    'HTP-01',
    'HTP-06',
    'S2C-05',
    'AUT-08',
    'AUT-15',
    'AUT-16',
    'AUT-18',
    'AUT-22',
  ],
  'the schemas of older revisions demand it': ['TOL-01', 'TOL-11', 'RES-10', 'CMP-01', 'LOG-04', 'PAG-01', 'S2C-02'],
  'the revision that demands it first has other words': ['AUT-02', 'AUT-05'],
  'the check itself looks at messages of 2025-06-18 and later only': ['RPC-17'],
};

const digest = (text: string): string => createHash('sha256').update(words(text)).digest('hex').slice(0, 16);

/**
 * Sentences of other standards, by section: their digests are pinned. A new or changed citation fails until somebody has
 * looked it up and has put its digest here. Those of the RFCs were compared with copies of the texts; of JSON-RPC and HTML
 * only some were.
 */
const PINNED: Readonly<Record<string, readonly string[]>> = {
  'https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation': ['2b65d00df47e6f44'],
  'https://www.jsonrpc.org/specification#error_object': [
    'af7f0d7bcd15840b',
    'd5e76626dc3c5d12',
    '95578f61a102add6',
    'da287fc4af29f1aa',
  ],
  'https://www.jsonrpc.org/specification#request_object': ['de13447ebea68e6b'],
  'https://www.jsonrpc.org/specification#response_object': ['aa849ae5f35a8ea9', '8c50f34adb13ab8c', '2a583ac77fe4c8aa'],
  'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2': ['de96c8aa0c8d23de'],
  'https://www.rfc-editor.org/rfc/rfc6749#section-5.1': ['94c7f1f8bec9423e'],
  'https://www.rfc-editor.org/rfc/rfc6750#section-3': ['d7234f34fd9f3aa6'],
  'https://www.rfc-editor.org/rfc/rfc8414#section-3.3': ['819f697a86fad80f'],
  'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.14': ['b22f75fa7a7b563a'],
  'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16': ['c722d9c99c1fe329'],
  'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6': ['b34bb9fb550b9f68'],
  'https://www.rfc-editor.org/rfc/rfc9110#section-5.1': ['01ede70499b2c9a2'],
  'https://www.rfc-editor.org/rfc/rfc9112#section-7.1': ['e53a57bae6212d3c'],
  'https://www.rfc-editor.org/rfc/rfc9728#section-3.2': ['ec6d2fa0946ba463'],
  'https://www.rfc-editor.org/rfc/rfc9728#section-3.3': ['0efb43fcafc8ba77'],
};

const STANDARDS = /^https:\/\/(?:www\.rfc-editor\.org|www\.jsonrpc\.org|html\.spec\.whatwg\.org)\//u;

describe('the sentence that a check cites', () => {
  test('of another standard is pinned', () => {
    const cited = CITED.filter(({ source }) => STANDARDS.test(source.url));
    expect(cited.length).toBeGreaterThan(20);
    const unknown = cited.filter(({ source }) => !(PINNED[source.url] ?? []).includes(digest(source.sentence)));
    expect(unknown.map(({ what, source }) => `${what}: ${digest(source.sentence)} <${source.url}>`)).toEqual([]);
  });

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

  test('of a MUST check is not addressed to clients alone', () => {
    const foreign = CITED.filter(({ level, source }) => level === 'MUST' && isForClients(source.sentence));
    expect(foreign.map(({ what, source }) => `${what}: ${source.sentence}`)).toEqual([]);
    expect(isForClients('MCP clients MUST use the Authorization request header field.')).toBe(true);
    expect(isForClients('When a client connects to a server, it MUST send a token.')).toBe(true);
    expect(isForClients('When a client connects, the server MUST send an endpoint event.')).toBe(false);
    expect(isForClients('Clients and servers MUST use case-insensitive comparisons for header names.')).toBe(false);
  });

  test('is of the era that it is held against, unless it is only an advice', () => {
    const isModern = ({ sentence, url }: CheckSource): boolean =>
      (citationOf(url)?.revision ?? '') > '2025-11-25' && !sentence.startsWith('Rule of ');
    const early = CHECKS.filter((check) => {
      const isLegacy = check.eras !== 'both' && check.eras.includes('legacy');
      return isLegacy && levelFor(check, 'legacy') !== 'ADVICE' && isModern(sourceFor(check, 'legacy'));
    });
    expect(early.map(({ id }) => id)).toEqual([]);
  });

  test('of a MUST is held against servers of older revisions only where their text demands the same', () => {
    const reworded = new Set(Object.values(REWORDED).flat());
    const late = CHECKS.filter((check) => {
      const isLegacy = check.eras !== 'both' && check.eras.includes('legacy');
      const first = SINCE[sourceFor(check, 'legacy').sentence];
      return isLegacy && levelFor(check, 'legacy') === 'MUST' && first !== undefined && first !== check.since;
    });
    expect(late.map(({ id }) => id).filter((id) => !reworded.has(id))).toEqual([]);
    // An exception that is none any more is to be removed.
    expect([...reworded].filter((id) => late.every((check) => check.id !== id))).toEqual([]);
  });

  test('would be missed if it were invented', () => {
    const url = 'https://modelcontextprotocol.io/specification/2025-11-25/basic/index#requests';
    expect(missingIn({ url, sentence: 'Requests MUST include a string or integer ID.' })).toEqual([]);
    expect(missingIn({ url, sentence: 'Requests MUST include a colour.' })).toHaveLength(1);
  });
});
