/** A request that the provider does not accept. */
export interface RefusalFacts {
  readonly status: number;
  readonly message: string;
  /** The provider's own word; default: the usual one of the status. */
  readonly type?: string;
  readonly code?: string;
  /** The parameter that is wrong. */
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal extends Error {
  readonly facts: RefusalFacts;

  constructor(facts: RefusalFacts) {
    super(facts.message);
    this.name = 'Refusal';
    this.facts = facts;
  }
}

export const refuse = (message: string, facts: Omit<RefusalFacts, 'message' | 'status'> = {}): never => {
  throw new Refusal({ status: 400, message, ...facts });
};
