import fc from 'fast-check';
import type { FleetStore, HeldLease } from '@plugboard/registry';
import { describe, expect, it } from 'vitest';
import { HeldLeases } from './held-leases.js';

const NAME = 'server x';
const TTL = 10_000;
const MARGIN = 1500;

/** The rules of the store, with a clock that the test moves. */
class ModelStore implements Pick<FleetStore, 'acquire' | 'renew' | 'release'> {
  now = 0;
  lease = { holder: '', token: 0, until: 0 };

  async acquire(name: string, holder: string, ttlMs: number) {
    const { lease } = this;
    if (lease.until <= this.now || lease.holder === holder) {
      this.lease = { holder, token: lease.token + (lease.holder === holder ? 0 : 1), until: this.now + ttlMs };
      return { granted: true, lease: { name, holder, token: this.lease.token, leftMs: ttlMs } };
    }
    return {
      granted: false,
      lease: { name, holder: lease.holder, token: lease.token, leftMs: lease.until - this.now },
    };
  }

  async renew({ name, holder, token }: Pick<HeldLease, 'name' | 'holder' | 'token'>, ttlMs: number) {
    if (this.lease.holder !== holder || this.lease.token !== token) return undefined;
    this.lease = { ...this.lease, until: this.now + ttlMs };
    return { name, holder, token, leftMs: ttlMs };
  }

  async release({ holder, token }: Pick<HeldLease, 'holder' | 'token'>) {
    if (this.lease.holder === holder && this.lease.token === token) this.lease = { ...this.lease, until: 0 };
  }
}

/** What the leases protect: it refuses everybody who comes with an older token than it has seen. */
class Resource {
  greatest = 0;
  readonly accepted: number[] = [];

  act(token: number): void {
    if (token < this.greatest) return;
    this.greatest = token;
    this.accepted.push(token);
  }
}

class Member {
  readonly leases: HeldLeases;
  isPartitioned = false;
  /** Decided to act, and was stopped before it did. */
  intention: number | undefined;
  lost = 0;

  constructor(id: string, store: ModelStore, { skew = 0, offset = 0 } = {}) {
    const reach = <T>(work: () => Promise<T>): Promise<T> =>
      this.isPartitioned ? Promise.reject(new Error('unreachable')) : work();
    this.leases = new HeldLeases({
      store: {
        acquire: (...args) => reach(() => store.acquire(...args)),
        renew: (...args) => reach(() => store.renew(...args)),
        release: (...args) => reach(() => store.release(...args)),
      },
      holder: id,
      ttlMs: TTL,
      marginMs: MARGIN,
      isAlone: () => false,
      onLost: () => (this.lost += 1),
      // Its clock shows another time, and runs a little faster or slower.
      now: () => offset + store.now * (1 + skew),
    });
  }

  holdsNow(): number | undefined {
    const view = this.leases.peek(NAME);
    return view?.isMine === true ? view.token : undefined;
  }
}

type Step = (world: {
  readonly store: ModelStore;
  readonly members: readonly Member[];
  readonly resource: Resource;
}) => Promise<void>;

const who = fc.integer({ min: 0, max: 2 });
const steps: fc.Arbitrary<readonly { readonly text: string; readonly run: Step }[]> = fc.array(
  fc.oneof(
    who.map((index) => ({
      text: `resolve ${index}`,
      run: (async ({ members }) => void (await members[index]?.leases.resolve(NAME).catch(() => undefined))) as Step,
    })),
    who.map((index) => ({
      text: `renew ${index}`,
      run: (async ({ members }) => members[index]?.leases.renew()) as Step,
    })),
    fc.integer({ min: 1, max: 6000 }).map((ms) => ({
      text: `wait ${ms}`,
      run: (async ({ store }) => void (store.now += ms)) as Step,
    })),
    fc.tuple(who, fc.boolean()).map(([index, isPartitioned]) => ({
      text: `${isPartitioned ? 'cut' : 'heal'} ${index}`,
      run: (async ({ members }) => {
        const member = members[index];
        if (member !== undefined) member.isPartitioned = isPartitioned;
      }) as Step,
    })),
    who.map((index) => ({
      text: `decide ${index}`,
      run: (async ({ members }) => {
        const member = members[index];
        if (member !== undefined) member.intention = member.holdsNow();
      }) as Step,
    })),
    who.map((index) => ({
      text: `act ${index}`,
      run: (async ({ members, resource }) => {
        const token = members[index]?.intention;
        if (token !== undefined) resource.act(token);
      }) as Step,
    })),
    who.map((index) => ({
      text: `release ${index}`,
      run: (async ({ members }) => members[index]?.leases.releaseAll()) as Step,
    })),
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
);

describe('leases of three processes', () => {
  it('are held by one at a time, and late acts are fenced off, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const store = new ModelStore();
        const resource = new Resource();
        const members = [
          new Member('a', store),
          new Member('b', store, { skew: 0.05, offset: 3_600_000 }),
          new Member('c', store, { skew: -0.05, offset: -3_600_000 }),
        ];
        for (const { run } of all) {
          await run({ store, members, resource });
          const tokens = members.flatMap((member) => member.holdsNow() ?? []);
          expect(tokens.length).toBeLessThanOrEqual(1);
        }
        expect(resource.accepted).toEqual(resource.accepted.toSorted((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });

  it('end at their deadline when the store does not answer, and the program is told', async () => {
    const store = new ModelStore();
    const member = new Member('a', store);
    expect((await member.leases.resolve(NAME)).isMine).toBe(true);
    member.isPartitioned = true;
    store.now = TTL - MARGIN - 1;
    await member.leases.renew();
    expect([member.holdsNow(), member.lost]).toEqual([1, 0]);
    store.now = TTL - MARGIN;
    await member.leases.renew();
    expect([member.holdsNow(), member.lost]).toEqual([undefined, 1]);
  });

  it('end at their deadline while the store has not answered yet', async () => {
    const store = new ModelStore();
    const member = new Member('a', store);
    await member.leases.resolve(NAME);
    // After a partition a question may hang for longer than a lease lasts.
    store.renew = () => new Promise(() => undefined);
    void member.leases.renew();
    store.now = TTL - MARGIN - 1;
    member.leases.expire();
    expect(member.lost).toBe(0);
    store.now = TTL - MARGIN;
    member.leases.expire();
    expect([member.holdsNow(), member.lost]).toEqual([undefined, 1]);
  });

  it('of another process are asked for again after a doubt, and once for all who ask', async () => {
    const store = new ModelStore();
    const [owner, other] = [new Member('a', store), new Member('b', store)];
    await owner.leases.resolve(NAME);
    expect(await Promise.all([other.leases.resolve(NAME), other.leases.resolve(NAME)])).toMatchObject([
      { isMine: false, holder: 'a', token: 1 },
      { isMine: false, holder: 'a', token: 1 },
    ]);
    await owner.leases.releaseAll();
    expect((await other.leases.resolve(NAME)).holder).toBe('a');
    other.leases.doubt(NAME);
    expect(await other.leases.resolve(NAME)).toMatchObject({ isMine: true, token: 2 });
    expect(other.leases.holds(NAME, 2)).toBe(true);
    expect(other.leases.holds(NAME, 1)).toBe(false);
  });
});
