// The package ships its types where compilers do not look; this is the part that is used.
declare module 'postman-collection' {
  interface PropertyList<T> {
    all(): T[];
  }
  interface Entry {
    readonly key?: string | null;
    readonly value?: unknown;
    readonly type?: string;
    readonly disabled?: boolean;
    readonly src?: unknown;
    readonly contentType?: string;
  }
  interface Described {
    readonly name?: string;
    readonly description?: string | { toString(): string };
  }
  interface Script {
    toSource(): string | undefined;
  }
  interface Event {
    readonly listen: string;
    readonly disabled?: boolean;
    readonly script?: Script;
  }
  interface Auth {
    readonly type: string;
    parameters(): { toObject(): Record<string, unknown> };
  }
  interface Group extends Described {
    readonly events: PropertyList<Event>;
    parent(): Group | undefined;
  }
  interface Body {
    readonly mode?: string;
    readonly raw?: string;
    readonly disabled?: boolean;
    readonly urlencoded?: PropertyList<Entry>;
    readonly formdata?: PropertyList<Entry>;
    readonly file?: { readonly src?: unknown; readonly content?: string };
    readonly graphql?: { readonly query?: string; readonly variables?: unknown };
    readonly options?: { readonly raw?: { readonly language?: string } };
  }
  interface Url {
    readonly variables: PropertyList<Entry>;
    toString(): string;
    toJSON(): object;
  }
  interface Request extends Described {
    readonly method: string;
    readonly url: Url;
    readonly headers: PropertyList<Entry>;
    readonly body?: Body;
    readonly auth?: Auth;
    toJSON(): object;
    toObjectResolved(scope: null, overrides: readonly object[], options: { ignoreOwnVariables: boolean }): object;
  }
  interface Item extends Group {
    readonly id?: string;
    readonly request: Request;
    getProtocolProfileBehaviorResolved(): Readonly<Record<string, unknown>>;
    getAuth(): Auth | undefined;
  }
  interface Library {
    readonly Request: new (definition: object) => Request;
    readonly Url: new (definition: object) => Url;
    readonly Collection: new (definition: unknown) => Group & {
      readonly variables: PropertyList<Entry>;
      forEachItem(visit: (item: Item) => void): void;
    };
    readonly Property: {
      replaceSubstitutions(text: string, variables: Readonly<Record<string, string>>): string;
    };
  }
  const library: Library;
  export type { Auth, Body, Described, Entry, Event, Group, Item, Request };
  export default library;
}
