import { checkReport } from '@plugboard/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aFailure, aReport, aResult } from '../test-support/sample-report.js';
import { parseXml } from '../test-support/xml-structure.js';
import { formatOfFile, REPORTERS } from './formats.js';
import { htmlReport } from './html/page.js';
import { terminalLines } from './terminal.js';

const NASTY = '</script><img src=x onerror=alert(1)> `code` | *bold* \u0000\u001B[2J \uD800 "\'& ${x}';
const full = aReport([
  aResult(),
  aFailure(NASTY),
  aFailure('known', { id: 'RPC-03', expected: true }),
  aFailure('should', { id: 'RPC-05', verdict: 'warn', level: 'SHOULD' }),
  aFailure('advice', { id: 'RPC-06', verdict: 'warn', level: 'ADVICE', era: 'both' }),
  aResult({
    id: 'TOL-01',
    family: 'tools',
    verdict: 'not-verified',
    detail: 'No tool may be called.',
    supply: 'a tool',
  }),
  aResult({ id: 'SSE-01', family: 'sse', verdict: 'not-applicable', detail: 'This is stdio.' }),
]);

describe('every format', () => {
  test('is chosen by the end of a file name', () => {
    expect(['a.sarif', 'B.HTML', 'x.md', 'x.xml', 'x.svg', 'x.txt', 'json'].map(formatOfFile)).toEqual([
      'sarif',
      'html',
      'markdown',
      'junit',
      'badge',
      undefined,
      'json',
    ]);
  });

  test.each(Object.entries(REPORTERS))('%s takes any characters, and a run without results', (_name, write) => {
    expect(write(aReport([], { outcome: 'not-examined', reason: 'Nobody listens.' }))).not.toBe('');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(write(aReport([aFailure(text)]))).toBeTypeOf('string');
      }),
      { numRuns: 30 },
    );
  });
});

describe('text of a hostile server', () => {
  const hostile = 'see https://evil.test or www.evil.test \u202Egnp.exe\u202C \u009B31m \u200B';
  const report = aReport([{ ...aFailure('HTP-01'), detail: hostile }]);

  test.each(['html', 'junit', 'markdown'] as const)('hides and reorders nothing: %s', (format) => {
    const text = REPORTERS[format](report);
    expect(text).toMatch(/u\\?\{202E\\?\}gnp/u);
    expect(text).not.toMatch(/[\u0080-\u009F\u200B\u202A-\u202E]/u);
  });

  test('is no link in Markdown', () => {
    const text = REPORTERS.markdown(report);
    expect(text).toContain(String.raw`https\://evil.test or www\.evil.test`);
  });
});

describe('JSON', () => {
  test('is the model itself, the gravest first', () => {
    const { results, ...rest } = checkReport.parse(JSON.parse(REPORTERS.json(full)));
    const { results: given, ...others } = full;
    expect(rest).toEqual(others);
    expect(results[0]?.verdict).toBe('fail');
    expect(new Set(results)).toEqual(new Set(given));
  });
});

describe('SARIF', () => {
  const log = JSON.parse(REPORTERS.sarif(full)) as {
    version: string;
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }];
  };
  const [run] = log.runs;

  test('has a result per finding, and a rule for each', () => {
    expect(log.version).toBe('2.1.0');
    expect(run.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['RPC-02', 'error'],
      ['RPC-03', 'error'],
      ['RPC-05', 'warning'],
      ['RPC-06', 'note'],
    ]);
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[Number(ruleIndex)]?.id).toBe(ruleId);
  });

  test('names the version of the tool, and no file that may not exist', () => {
    expect(run.tool.driver).toMatchObject({ version: full.version, semanticVersion: full.version });
    expect(JSON.stringify(run.results)).not.toContain('physicalLocation');
    const located = REPORTERS.sarif(full, { location: { uri: 'check.yaml', line: 3 } });
    const region = { artifactLocation: { uri: 'check.yaml' }, region: { startLine: 3 } };
    expect(JSON.parse(located)).toHaveProperty('runs.0.results.0.locations.0.physicalLocation', region);
  });

  test('suppresses what the baseline knows, and tells eras apart', () => {
    expect(run.results[1]).toHaveProperty('suppressions');
    expect(run.results[0]).not.toHaveProperty('suppressions');
    expect(run.results[3]?.['partialFingerprints']).toEqual({ 'plugboardCheck/v1': 'RPC-06/both/stdio' });
  });
});

describe('Markdown', () => {
  const text = REPORTERS.markdown(full);

  test('has total, passed, rate and every check', () => {
    expect(text).toContain('| 7 | 1 | 2 | 2 | 1 | 1 | 20.0 % |');
    for (const { id } of full.results) expect(text).toContain(id);
  });

  test('says what to supply, and takes one line for what does not apply for the same reason', () => {
    expect(text).toContain('No tool may be called. Supply: a tool. |');
    const idle = { family: 'sse', verdict: 'not-applicable', detail: 'This is stdio.' } as const;
    const short = REPORTERS.markdown(aReport([aResult({ ...idle, id: 'SSE-01' }), aResult({ ...idle, id: 'SSE-02' })]));
    expect(short).toContain('Not applicable: SSE-01, SSE-02. This is stdio.');
    expect(short).not.toContain('| SSE-01 |');
  });

  test('lets nothing of a server act as markup', () => {
    expect(text.replaceAll(/```[\s\S]*?```/gu, '')).not.toMatch(/(?<!\\)<img/u);
    expect(REPORTERS.markdown(aReport([aFailure('a ``` b')]))).toContain('````sh');
  });

  test('is short in a summary', () => {
    expect(REPORTERS.summary(full)).toContain('RPC-02');
    expect(REPORTERS.summary(full)).not.toContain('LIF-01');
  });
});

describe('HTML', () => {
  const page = htmlReport(full);

  test('takes nothing from elsewhere and lets nothing of a server run', () => {
    expect(page).not.toMatch(/<img|<link|<[^>]*\ssrc=|@import|url\(/iu);
    expect(page.match(/<script/gu)).toHaveLength(1);
    expect(page).toMatch(/default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-/u);
    expect(page).not.toMatch(/ style="| on\w+="/u);
  });

  test('shows the failures before the charts, and what to do before what was said', () => {
    expect(page.indexOf('aria-label="Failed"')).toBeLessThan(page.indexOf('class="charts"'));
    const block = htmlReport(aReport([aFailure('one')])).split('<details ')[1] ?? '';
    const titles = [...block.matchAll(/<dt>([^<]+)<\/dt>/gu)].map(([, title]) => title);
    expect(titles).toEqual(['Expected', 'Got', 'Fix', 'Source', 'Repeat it with', 'Sent', 'Received', 'Transcript']);
  });

  test('draws no bar for a family that does not apply', () => {
    const idle = aResult({ id: 'SSE-01', family: 'sse', verdict: 'not-applicable' });
    const svg = /<svg[^>]*Verdicts by family.*?<\/svg>/su.exec(htmlReport(aReport([aResult(), idle])))?.[0];
    expect(svg).toContain('Lifecycle');
    expect(svg).not.toContain('HTTP+SSE');
  });

  test('has every check with what the filters need', () => {
    expect(page.match(/<details /gu)).toHaveLength(full.results.length);
    expect(page).toContain('data-verdict="not-verified"');
  });
});

describe('evals', () => {
  const detail = '18 of 20 correct: 90 % (95 % interval 69.9 % to 97.2 %), required 80 %.';
  const passed = aResult({ id: 'EVAL-01', title: 'a forecast', detail });
  const failed = { ...aFailure('EVAL-02'), detail: detail.replace('required 80', 'required 95') };
  const report = aReport([passed, failed], { kind: 'eval' });
  const INTERVAL = /95 %[^]*interval 69\.9 % to 97\.2 %[^]*interval 69\.9 % to 97\.2 %/u;

  test.each(['json', 'html', 'junit', 'markdown', 'sarif', 'summary'] as const)(
    'have their interval, passed or failed: %s',
    (format) => {
      expect(REPORTERS[format](report)).toMatch(INTERVAL);
    },
  );

  test('have it at a terminal too, and a badge of their own', () => {
    const lines = terminalLines(report).map(({ text }) => text);
    expect(lines.join('\n')).toMatch(INTERVAL);
    expect(lines).toContain('✓ EVAL-01 a forecast (MUST, legacy)');
    expect(REPORTERS.badge(report)).toContain('eval: 1 failed');
    expect(REPORTERS.badge(aReport([], { kind: 'llm' }))).toContain('check llm: ');
  });

  test('of other kinds, what passed stays short', () => {
    const other = aReport([passed], { kind: 'workflow' });
    expect(terminalLines(other).some(({ text }) => text.includes('interval'))).toBe(false);
    expect(REPORTERS.junit(other)).not.toContain('interval');
  });
});

describe('the badge', () => {
  test('is a picture that says the outcome', () => {
    expect(parseXml(REPORTERS.badge(full)).attributes['aria-label']).toBe('mcp check: 2 failed');
    expect(REPORTERS.badge(aReport([aResult()]))).toContain('1 passed, 100.0 %');
    expect(REPORTERS.badge(aReport([], { outcome: 'not-examined' }))).toContain('could not be examined');
  });
});

describe('the terminal', () => {
  const words = (verbose: boolean): string =>
    terminalLines(full, { verbose })
      .map(({ text }) => text)
      .join('\n');

  test('shows the failures, then counts and the outcome', () => {
    const text = words(false);
    expect(text.indexOf('RPC-02')).toBeLessThan(text.indexOf('RPC-05'));
    expect(text).toContain('failed: 1 passed, 2 failed, 2 warned, 1 not verified, 1 not applicable – 20.0 %');
    expect(text).toContain('in the baseline');
    expect(text).not.toContain('LIF-01');
  });

  test('tells ten failures in full and more of them by their headlines', () => {
    const many = aReport(Array.from({ length: 30 }, (_, index) => aFailure('x', { id: `RPC-${index}` })));
    const texts = terminalLines(many).map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith('✗'))).toHaveLength(30);
    expect(texts.filter((text) => text.startsWith('expected:'))).toHaveLength(10);
  });

  test('tells of a failure what was expected, what came, how to repeat and how to fix it, and where it is written', () => {
    const texts = terminalLines(aReport([aResult(), aFailure('x', { problem: 'It is wrong' })])).map(
      ({ text }) => text,
    );
    expect(texts.slice(1, 9)).toEqual([
      '✗ RPC-02 It is wrong (MUST, legacy)',
      'expected: expected x',
      'got:      detail x',
      'fix:      remedy x',
      'text:     “sentence x”',
      '          https://example.com/spec',
      'repeat it with:',
      "printf '%s' x",
    ]);
  });

  test('marks what is to be copied, so that no line break gets into it', () => {
    const unbroken = terminalLines(aReport([aFailure('x')])).filter((line) => line.unbroken === true);
    expect(unbroken.map(({ text }) => text.trim())).toEqual(['https://example.com/spec', "printf '%s' x"]);
  });

  test('names families that do not apply in one line', () => {
    const idle = { verdict: 'not-applicable' } as const;
    const texts = terminalLines(
      aReport([aResult(), aResult({ ...idle, family: 'sse' }), aResult({ ...idle, family: 'tasks' })]),
    ).map(({ text }) => text);
    expect(texts.find((text) => text.includes('not applicable'))).toMatch(/^not applicable +sse, tasks$/u);
  });

  test('groups warnings by check and what is not verified by what it needs', () => {
    const warning = { verdict: 'warn', level: 'SHOULD' } as const;
    const open = { verdict: 'not-verified', supply: 'a tool' } as const;
    const texts = terminalLines(
      aReport([
        aFailure('x', warning),
        aFailure('x', { ...warning, era: 'modern' }),
        aResult(open),
        aResult({ ...open, id: 'LIF-02' }),
      ]),
    ).map(({ text }) => text);
    expect(texts).toContain('! RPC-02 title x (SHOULD, legacy, modern)');
    expect(texts).toContain('a tool (LIF-01, LIF-02)');
  });

  test('names everything that was called, and few of many others', () => {
    const ids = Array.from({ length: 40 }, (_, index) => `TOL-${index + 10}`);
    const open = { verdict: 'not-verified', supply: 'a tool' } as const;
    const call = { kind: 'tool', may: true, calls: 1, why: 'read-only' } as const;
    const forbidden = { ...call, may: false, calls: 0, why: 'no readOnlyHint: true' };
    const report = aReport(
      ids.map((id) => aResult({ ...open, id })),
      {
        calls: ids.flatMap((name) => [
          { ...call, name: `called-${name}` },
          { ...forbidden, name },
        ]),
      },
    );
    const texts = terminalLines(report).map(({ text }) => text);
    expect(texts.find((text) => text.startsWith('a tool ('))).toMatch(/TOL-10, .*TOL-21 and 28 more\)$/u);
    expect(texts.find((text) => text.endsWith(': read-only'))).toContain('tool called-TOL-49 (1 ×)');
    expect(texts.find((text) => text.startsWith('tool TOL-10'))).toMatch(/tool TOL-15 and 34 more: no readOnlyHint/u);
  });

  test('shows everything when asked to, with its source', () => {
    expect(words(true)).toContain('https://example.com/spec#answer'.replace('#answer', ''));
    expect(words(true)).toContain('LIF-01');
    expect(words(true)).toContain('supply:   a tool');
  });

  test('names a stale entry of the baseline, and why nothing could be examined', () => {
    const text = terminalLines(
      aReport([], { outcome: 'not-examined', reason: 'Nobody listens.', staleBaseline: ['LIF-09'] }),
    )
      .map((line) => line.text)
      .join('\n');
    expect(text).toContain('LIF-09');
    expect(text).toContain('Nobody listens.');
  });
});
