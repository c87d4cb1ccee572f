import { hasReference } from '@plugboard/client';
import type { Server, ServerConfig } from '@plugboard/contract';

/** Whether a config has templates does not change, so it is looked at once. */
export class TemplateFacts {
  readonly #known = new WeakMap<ServerConfig, boolean>();

  /** Do variables decide how the server is reached, so that agents cannot share a connection? */
  hasTemplates({ config }: Server): boolean {
    const known = this.#known.get(config);
    if (known !== undefined) return known;
    const found = hasReference(JSON.stringify(config));
    this.#known.set(config, found);
    return found;
  }
}
