import { describe, expect, it } from 'vitest';
import { assertOwnSite } from './foreign-page.js';

const HOST = '127.0.0.1:2091';
const OPENED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

const judge = (headers: Readonly<Record<string, string>>, { isPage = false, method = 'GET', publicUrl = '' } = {}) =>
  assertOwnSite({ method, headers: { host: HOST, ...headers } }, { isPage, publicUrl: publicUrl || undefined });

describe('a request', () => {
  it.each([
    [{}],
    [{ origin: `http://${HOST}` }],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none', ...OPENED }],
  ])('with %j is answered', (headers) => {
    expect(() => judge(headers)).not.toThrow('other origins');
  });

  it.each([
    [{ origin: 'http://localhost:3000' }],
    [{ origin: 'http://127.0.0.1:2092' }],
    [{ origin: 'http://localhost:2091' }],
    [{ origin: 'null' }],
    [{ origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site', ...OPENED }],
  ])('with %j comes from a foreign page', (headers) => {
    expect(() => judge(headers)).toThrow(expect.objectContaining({ code: 'ORIGIN_REFUSED' }));
  });

  it('may open a page by a link from elsewhere, and only open it', () => {
    const link = { 'sec-fetch-site': 'cross-site', ...OPENED };
    expect(() => judge(link, { isPage: true })).not.toThrow('other origins');
    expect(() => judge({ ...link, 'sec-fetch-dest': 'iframe' }, { isPage: true })).toThrow('other origins');
    expect(() => judge(link, { isPage: true, method: 'POST' })).toThrow('other origins');
  });

  it('may come from the public origin of the hub', () => {
    expect(() => judge({ origin: 'https://hub.example' }, { publicUrl: 'https://hub.example/base' })).not.toThrow(
      'other origins',
    );
    expect(() => judge({ origin: 'https://hub.example' })).toThrow('other origins');
  });
});
