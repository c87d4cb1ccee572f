/** Asks an address how it is, and says the status of the answer. Rejects with a PlugboardError when there is none. */
export type AskService = (url: string, signal: AbortSignal) => Promise<number>;
