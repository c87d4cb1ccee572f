import { describe, expect, it } from 'vitest';
import { hideSecretMembers, isSecretMember } from './secret-member.js';

describe('isSecretMember', () => {
  it.each([
    'password',
    'dbPassword',
    'db_password',
    'token',
    'github_token',
    'sessionToken',
    'id_token',
    'secretAccessKey',
    'aws_secret_access_key',
    'client-secret',
    'X-Api-Key',
    'credentials',
    'Authorization',
    'Set-Cookie',
  ])('%s', (name) => expect(isSecretMember(name)).toBe(true));

  it.each([
    'progressToken',
    'nextPageToken',
    'next_token',
    'maxTokens',
    'tokens',
    'key',
    'code',
    'cookies',
    'secretary',
  ])('not %s', (name) => expect(isSecretMember(name)).toBe(false));
});

describe('hideSecretMembers', () => {
  const hide = (text: string): string => hideSecretMembers(text, '*');

  it('hides values in the text of a document', () => {
    const text = hide(JSON.stringify({ user: 'ada', password: 'a"b\\', pins: [{ token: 1234 }] }));
    expect(JSON.parse(text)).toEqual({ user: 'ada', password: '*', pins: [{ token: '*' }] });
  });

  it('hides values in parts of a document, also when they are cut off', () => {
    expect(hide('The answer: { "apiKey" : "abc" } and more')).toBe('The answer: { "apiKey" : "*" } and more');
    expect(hide('{"a":1,"password":"hunter')).toBe('{"a":1,"password":"*"');
    expect(hide('{"password":"hunter\\')).toBe('{"password":"*"');
    expect(hide('{"password":"one\ntwo"}')).toBe('{"password":"*"}');
  });

  it('leaves other texts as they are', () => {
    const text = 'He said "password": and "token" is a word.';
    expect(hide(text)).toBe(text);
  });

  it('takes time in proportion to the text', () => {
    // Each of these would take minutes if an attempt went through the rest of the text in vain.
    for (const unit of ['"', '"a":', '"a": ', '"a":"\\', '\\"']) {
      const text = unit.repeat(200_000);
      expect(hide(text)).toBe(text);
    }
  });
});
