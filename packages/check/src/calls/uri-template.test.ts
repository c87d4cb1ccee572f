import { describe, expect, test } from 'vitest';
import { couldServe } from './uri-template.js';

describe('a resource template', () => {
  test.each([
    ['test://notes/{id}', 'test://notes/7', true],
    ['test://notes/{id}', 'TEST://notes/a/b', true],
    ['test://notes/{id}', 'test://other/7', false],
    ['{+uri}', 'not a uri', true],
    ['file:///{path}', 'file:///etc/passwd', true],
    ['file:///{path}', 'file:/etc/passwd', false],
    ['db://{table}/rows{?limit,offset}', 'db://users/rows', true],
    ['a.b(c)://{x}', 'a.b(c)://1', true],
    ['a.b(c)://{x}', 'aXb(c)://1', false],
    ['plain://page', 'plain://page', true],
    ['a{x}ab', 'ab', false],
    ['{x}ab{y}ba', 'aba', false],
    ['{x}ab{y}ba', 'abba', true],
  ])('%s could serve %s: %s', (template, uri, could) => {
    expect(couldServe(template, uri)).toBe(could);
  });

  test('is compared in linear time', () => {
    expect(couldServe(`${'{+a}'.repeat(30)}!`, 'a'.repeat(50_000))).toBe(false);
    expect(couldServe('{'.repeat(100_000), 'a')).toBe(false);
  });
});
