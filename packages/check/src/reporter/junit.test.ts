import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aFailure, aReport, aResult } from '../test-support/sample-report.js';
import { parseXml, type XmlNode } from '../test-support/xml-structure.js';
import { junitReport } from './junit.js';

const suites = (document: string): readonly XmlNode[] => parseXml(document).children;

describe('JUnit', () => {
  test('has a suite per family with true counts', () => {
    const report = aReport([
      aResult(),
      aResult({ id: 'LIF-02', verdict: 'not-applicable', detail: 'It does not apply.' }),
      aResult({ id: 'LIF-03', verdict: 'not-verified', detail: 'No tool.', supply: 'a tool' }),
      aFailure('x'),
      aFailure('y', { id: 'RPC-03', expected: true }),
      aFailure('z', { id: 'RPC-04', verdict: 'warn', level: 'SHOULD' }),
    ]);
    // The family with a failure comes first.
    const [rpc, lifecycle] = suites(junitReport(report));
    expect(lifecycle?.attributes).toMatchObject({
      name: 'lifecycle',
      tests: '3',
      failures: '0',
      errors: '0',
      skipped: '2',
    });
    expect(rpc?.attributes).toMatchObject({ name: 'json-rpc', tests: '3', failures: '1', skipped: '1' });
    expect(rpc?.children.map(({ children }) => children.map(({ name }) => name))).toEqual([
      ['failure'],
      ['skipped'],
      ['system-out'],
    ]);
    expect(junitReport(report)).toContain('No tool. To supply: a tool</skipped>');
  });

  test('says of a failure what to do first, and what was said last', () => {
    const [run] = suites(junitReport(aReport([aFailure('x')])));
    const story = run?.children[0]?.children[0]?.text ?? '';
    expect(story.split('\n').map((line) => line.split(':')[0])).toEqual([
      'expected',
      'got',
      'fix',
      'text',
      'repeat it with',
      'sent',
      'received',
    ]);
  });

  test('lets warnings fail when the gate says so', () => {
    const warning = aFailure('x', { verdict: 'warn', level: 'SHOULD' });
    expect(junitReport(aReport([warning], { failOn: 'should' }))).toContain('<failure');
    expect(junitReport(aReport([warning], { failOn: 'must' }))).not.toContain('<failure');
  });

  test('is red when nothing could be examined, and for a stale baseline', () => {
    const [run] = suites(
      junitReport(aReport([], { outcome: 'not-examined', reason: 'Nobody listens.', staleBaseline: ['LIF-01'] })),
    );
    expect(run?.attributes['errors']).toBe('2');
    expect(run?.children[0]?.children[0]?.attributes['message']).toContain('Nobody listens.');
  });

  test('is well formed whatever a server says', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        (one, two) => {
          const document = junitReport(
            aReport([aFailure(`${one}\uD800${two}`), aResult({ verdict: 'not-verified', supply: one })]),
          );
          expect(suites(document)).toHaveLength(2);
        },
      ),
    );
  });

  test('knows what is not well formed', () => {
    expect(() => parseXml('<a><b></a>')).toThrow('closes something else');
    expect(() => parseXml('<a>\u0001</a>')).toThrow('forbids');
    expect(() => parseXml('<a>&nope;</a>')).toThrow('ampersand');
  });
});
