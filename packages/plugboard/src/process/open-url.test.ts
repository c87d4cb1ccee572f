import { describe, expect, it } from 'vitest';
import { openUrl, urlOpener } from './open-url.js';

describe('urlOpener', () => {
  it.each([
    ['darwin', {}, ['open']],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
    ['linux', { DISPLAY: ':0' }, ['xdg-open']],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
    ['linux', {}, undefined],
    ['darwin', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, undefined],
  ] as const)('on %s with %j', (platform, env, expected) => {
    expect(urlOpener({ platform, env })).toEqual(expected);
  });
});

describe('openUrl', () => {
  it.each(['file:///etc/passwd', 'javascript:alert(1)', '--help'])('opens no %s', (url) => {
    expect(openUrl(url, { platform: 'linux', env: { DISPLAY: ':0' } })).toBe(false);
  });

  it('opens nothing where nobody would see it', () => {
    expect(openUrl('https://login.example', { platform: 'linux', env: {} })).toBe(false);
  });
});
