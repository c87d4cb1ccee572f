import { hasReference, type KeptConfig, revealConfig, type Server } from '@plugboard/contract';

/** Whether a config has templates does not change, so it is looked at once. */
export class TemplateFacts {
  readonly #known = new WeakMap<KeptConfig, boolean>();

  /** Do variables decide how the server is reached, so that agents cannot share a connection? */
  hasTemplates({ config }: Server): boolean {
    const known = this.#known.get(config);
    if (known !== undefined) return known;
    const found = hasReference(JSON.stringify({ ...revealConfig(config), variables: null }));
    this.#known.set(config, found);
    return found;
  }
}
