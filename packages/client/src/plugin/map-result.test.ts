import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapResult, parseText } from './map-result.js';

const text = (...texts: string[]) => ({ content: texts.map((value) => ({ type: 'text', text: value })) });

describe('mapResult', () => {
  it.each([
    [text('hello', 'world'), 'hello\nworld'],
    [text(' {"a": [1]}'), { a: [1] }],
    [text('[1]'), [1]],
    [text('{not json'), '{not json'],
    [{ ...text('{}'), structuredContent: { b: 2 } }, { b: 2 }],
    [{ content: [{ type: 'image', data: 'x' }] }, [{ type: 'image', data: 'x' }]],
    [{}, []],
  ])('%#: takes the data that is there', (result, data) => {
    expect(mapResult(result)).toEqual({ status: 'success', data });
  });

  it('does not take the error of a tool for a success', () => {
    const outcome = mapResult({ ...text('no such person'), isError: true });
    expect(outcome).toMatchObject({ status: 'error', error: { message: 'no such person' } });
    expect(mapResult({ isError: true })).toMatchObject({ status: 'error', error: { code: 'UPSTREAM_PROTOCOL' } });
  });
});

describe('parseText', () => {
  it('brings back every object and list', () => {
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
        const json = JSON.stringify(value);
        expect(parseText(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(parseText(`{${value}`)).toBeDefined();
      }),
    );
  });
});
