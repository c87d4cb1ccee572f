import { describe, expect, it } from 'vitest';
import { SignInLinks } from './sign-in-links.js';

const LIFE_MS = 1000;
const rig = () => {
  const clock = { now: 0 };
  return { clock, links: new SignInLinks({ now: () => clock.now, key: 'pb_local_x', lifeMs: LIFE_MS }) };
};

describe('a sign-in link', () => {
  it('opens once', () => {
    const { links } = rig();
    const secret = links.open();
    expect([links.redeem(secret), links.redeem(secret)]).toEqual(['pb_local_x', undefined]);
  });

  it('opens only while it lives', () => {
    const { links, clock } = rig();
    const secret = links.open();
    clock.now = LIFE_MS;
    expect(links.redeem(secret)).toBeUndefined();
  });

  it('cannot be made up, and old ones make room for new ones', () => {
    const { links } = rig();
    const first = links.open();
    expect(links.redeem('made-up')).toBeUndefined();
    const later = Array.from({ length: 32 }, () => links.open());
    expect(links.redeem(first)).toBeUndefined();
    expect(links.redeem(later.at(-1) ?? '')).toBe('pb_local_x');
  });

  it('does not show its key when it is printed', () => {
    expect(JSON.stringify(rig().links)).not.toContain('pb_local_x');
  });
});
