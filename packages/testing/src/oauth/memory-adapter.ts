import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

/** Everything one authorization server remembers. */
export class AdapterMemory {
  readonly #models = new Map<string, Map<string, Entry>>();
  /** Metadata of clients that are named by a URL. */
  readonly #clientDocument: (url: string) => Promise<AdapterPayload | undefined>;

  constructor(clientDocument: (url: string) => Promise<AdapterPayload | undefined>) {
    this.#clientDocument = clientDocument;
  }

  adapter(model: string): Adapter {
    const entries = this.entries(model);
    const find = (id: string): AdapterPayload | undefined => {
      const entry = entries.get(id);
      return entry === undefined || entry.expiresAt <= Date.now() ? undefined : entry.payload;
    };
    return {
      upsert: async (id, payload, expiresIn) => {
        entries.set(id, { payload, expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY });
      },
      find: async (id) =>
        find(id) ?? (model === 'Client' && id.startsWith('https:') ? this.#clientDocument(id) : undefined),
      findByUid: async (uid) => [...entries.values()].find(({ payload }) => payload.uid === uid)?.payload,
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const payload = find(id);
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void entries.delete(id),
      revokeByGrantId: async (grantId) => this.revokeGrant(grantId),
    };
  }

  entries(model: string): Map<string, Entry> {
    const entries = this.#models.get(model) ?? new Map<string, Entry>();
    this.#models.set(model, entries);
    return entries;
  }

  revokeGrant(grantId: string): void {
    for (const entries of this.#models.values()) {
      for (const [id, { payload }] of entries) if (payload.grantId === grantId) entries.delete(id);
    }
  }
}
