import { describe, expect, it } from 'vitest';
import { declaresJson } from './json-media-type.js';

describe('declaresJson', () => {
  it.each([
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"; profile=x',
    'application/vnd.api+json',
  ])('takes %j', (type) => expect(declaresJson(type)).toBe(true));

  it.each([
    undefined,
    null,
    '',
    ';;;',
    'text/plain',
    'text/plain; application/json',
    'text/json',
    'application/jsonp',
    'application/json-seq',
    'application/json, text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/json; charset=utf-16',
  ])('refuses %j', (type) => expect(declaresJson(type)).toBe(false));
});
