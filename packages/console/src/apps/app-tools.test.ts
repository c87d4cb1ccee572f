import { describe, expect, it } from 'vitest';
import { appPageOf, appToolOf } from './app-tools.js';

const TYPE = 'text/html;profile=mcp-app';

describe('a tool', () => {
  it('may name the page of an app, and who may call it', () => {
    expect(appToolOf({ name: 'a', _meta: { ui: { resourceUri: 'ui://a/b', visibility: ['model'] } } })).toEqual({
      name: 'a',
      resourceUri: 'ui://a/b',
      callable: false,
      readOnly: false,
    });
    expect(
      appToolOf({ name: 'a', annotations: { readOnlyHint: true }, _meta: { 'ui/resourceUri': 'ui://x' } }),
    ).toEqual({
      name: 'a',
      resourceUri: 'ui://x',
      callable: true,
      readOnly: true,
    });
  });

  it.each(['https://evil.example/', 'javascript:alert(1)', 7])('has no app at %s', (resourceUri) => {
    expect(appToolOf({ name: 'a', _meta: { ui: { resourceUri } } })?.resourceUri).toBeUndefined();
  });

  it('is not read from rubbish', () => {
    expect([appToolOf(null), appToolOf({}), appToolOf([])]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the page of an app', () => {
  it('is read as text or as bytes, with what it is not given', () => {
    const ui = { csp: { connectDomains: ['https://a.example', 7] }, permissions: { camera: {} } };
    expect(appPageOf({ contents: [{ mimeType: TYPE, text: '<p>', _meta: { ui } }] })).toEqual({
      html: '<p>',
      declined: ['https://a.example', 'camera'],
    });
    expect(appPageOf({ contents: [{ mimeType: TYPE, blob: btoa('<b>') }] })).toEqual({ html: '<b>', declined: [] });
  });

  it.each([
    [{}],
    [{ contents: [{ mimeType: 'text/html', text: '<p>' }] }],
    [{ contents: [{ mimeType: TYPE }] }],
    [{ contents: [{ mimeType: TYPE, blob: 'no base64!' }] }],
    [{ contents: [{ mimeType: TYPE, text: 'x'.repeat(5_000_001) }] }],
  ])('is refused in words when it is none', (result) => {
    expect(appPageOf(result)).toHaveProperty('problem');
  });
});
