import type { Server } from '@plugboard/contract';
import { assignNames } from '@plugboard/schema';
import type { JsonObject } from '@plugboard/wire';
import { textAt } from '../../rpc/members.js';

export interface OwnedItem {
  readonly server: Server;
  readonly item: JsonObject;
}

const keyOf = (server: Server, name: string): string => JSON.stringify([server.id, name]);

/** Names for prompts of several servers, as tools are named: the configured name of the server, then its own. */
export class PromptNames {
  readonly #byKey: ReadonlyMap<string, string>;
  readonly #byName = new Map<string, { readonly server: Server; readonly name: string }>();

  constructor(owned: readonly OwnedItem[]) {
    const named = owned.flatMap(({ server, item }) => {
      const name = textAt(item, 'name');
      return name === undefined ? [] : [{ server, name }];
    });
    this.#byKey = assignNames(
      named.map(({ server, name }) => ({ key: keyOf(server, name), server: server.server_name, tool: name })),
    );
    for (const each of named) {
      const shown = this.#byKey.get(keyOf(each.server, each.name));
      if (shown !== undefined) this.#byName.set(shown, each);
    }
  }

  show({ server, item }: OwnedItem): JsonObject {
    const name = textAt(item, 'name') ?? '';
    return { ...item, name: this.#byKey.get(keyOf(server, name)) ?? name };
  }

  find(shown: string): { readonly server: Server; readonly name: string } | undefined {
    return this.#byName.get(shown);
  }
}
