import { describe, expect, it } from 'vitest';
import { filled, promptIn, resourceIn, templateIn, variablesIn } from './offer.js';

describe('what a server offers', () => {
  it('is read, of which anything may be missing or wrong', () => {
    expect(resourceIn({ uri: 'a:/', name: 'a', title: 'A', mimeType: 7 })).toEqual({
      uri: 'a:/',
      name: 'A',
      description: '',
      mimeType: '',
    });
    expect(resourceIn({ name: 'a' })).toBeUndefined();
    expect(resourceIn('a')).toBeUndefined();
    expect(templateIn({ uriTemplate: 'a:/{b}', name: 'x' })?.template).toBe('a:/{b}');
    expect(templateIn({})).toBeUndefined();
    expect(promptIn({ name: 'p', arguments: [{ name: 'a', required: true }, 'b', {}] })).toEqual({
      name: 'p',
      title: 'p',
      description: '',
      arguments: [{ name: 'a', description: '', required: true }],
    });
    expect(promptIn({ name: 'p', arguments: 'none' })?.arguments).toEqual([]);
    expect(promptIn(null)).toBeUndefined();
  });
});

describe('a URI template', () => {
  it('has variables', () => {
    expect(variablesIn('db:/{table}/{id}{?limit,after}{+path*}')).toEqual(['table', 'id', 'limit', 'after', 'path']);
    expect(variablesIn('a:/b')).toEqual([]);
  });

  it('is filled, and a value cannot leave its place', () => {
    expect(filled('db:/{table}/{id}', { table: 'a b', id: '../x' })).toBe('db:/a%20b/..%2Fx');
    expect(filled('file:///{+path}', { path: 'a/b c' })).toBe('file:///a/b%20c');
    expect(filled('x:/{?limit,after}', { limit: '2' })).toBe('x:/?limit=2&after=');
    expect(filled('x:{/a,b}', { a: '1', b: '2' })).toBe('x:/1/2');
    expect(filled('x:/y{#part}', { part: 'z' })).toBe('x:/y#z');
  });
});
