import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chain, type ChainLink } from './chain.js';

class Member implements ChainLink<Member> {
  before: Member | undefined;
  after: Member | undefined;
  readonly name: number;

  constructor(name: number) {
    this.name = name;
  }
}

const names = (chain: Chain<Member>): readonly number[] => {
  const found: number[] = [];
  for (let member = chain.first; member !== undefined; member = member.after) found.push(member.name);
  return found;
};

const steps = fc.array(
  fc.record({ act: fc.constantFrom('append', 'remove'), name: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7) }),
);

describe('a chain', () => {
  it('has the order and the members of a Set, whatever comes and goes', () => {
    fc.assert(
      fc.property(steps, (acts) => {
        const members = Array.from({ length: 8 }, (_, name) => new Member(name));
        const chain = new Chain<Member>();
        const model = new Set<number>();
        for (const { act, name } of acts) {
          const member = members[name] ?? new Member(name);
          if (act === 'append') {
            chain.append(member);
            model.add(name);
          } else {
            chain.remove(member);
            model.delete(name);
          }
          expect(names(chain)).toEqual([...model]);
          expect(chain.isEmpty).toBe(model.size === 0);
          expect(members.map((each) => chain.has(each))).toEqual(members.map((each) => model.has(each.name)));
        }
      }),
    );
  });

  it('leaves nothing behind in what has left', () => {
    const [one, two, three] = [new Member(1), new Member(2), new Member(3)];
    const chain = new Chain<Member>();
    for (const member of [one, two, three]) chain.append(member);
    chain.remove(two);
    expect([two.before, two.after, names(chain)]).toEqual([undefined, undefined, [1, 3]]);
  });
});
