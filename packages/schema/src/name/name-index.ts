import { identityOf, modelFacingName, withHash, type NameParts } from './model-facing-name.js';

/** A tool that needs a name; `key` says which tool it is, whatever it is called. */
export interface NamedTool extends NameParts {
  readonly key: string;
}

const SEPARATOR = '__';
const FIRST_HASH = 8;
const FULL_HASH = 60;

/** Does the name say exactly what it stands for, so that nothing was dropped or cut? */
const isFaithful = (tool: NamedTool, name: string): boolean =>
  name === (tool.server === undefined ? tool.tool : `${tool.server}${SEPARATOR}${tool.tool}`);

/** The one of several equally named tools that may keep the name: the only one that is really called that. */
const keeperOf = (name: string, group: readonly NamedTool[]): NamedTool | undefined => {
  if (group.length === 1) return group[0];
  const faithful = group.filter((tool) => isFaithful(tool, name));
  return faithful.length === 1 ? faithful[0] : undefined;
};

const hashed = (tool: NamedTool, length: number): string =>
  withHash(modelFacingName(tool), `${tool.key}\n${identityOf(tool)}`, length);

/** A name that is marked with a hash of what it stands for, as long as it takes to be the only one. */
export const hashedName = (
  tool: NamedTool,
  isTaken: (name: string) => boolean,
  first = hashed(tool, FIRST_HASH),
): string => {
  let length = FIRST_HASH;
  let name = first;
  while (isTaken(name) && length < FULL_HASH) {
    length += 4;
    name = hashed(tool, length);
  }
  return name;
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The names of tools that stand in one list, kept while tools come and go. They depend on the tools alone, never on the
 * order in which these came. A change costs as much as the tools that it is about, and those that lost their name to
 * another one.
 */
export class NameIndex {
  readonly #tools = new Map<string, NamedTool>();
  readonly #groups = new Map<string, NamedTool[]>();
  readonly #names = new Map<string, string>();
  /** Those whose name another tool keeps, or that none of several may keep, with the name that they would have first. */
  readonly #homeless = new Map<string, string>();
  readonly #touched = new Set<string>();
  readonly #deleted = new Set<string>();

  /** Adds a tool. One with the same key is replaced. */
  put(tool: NamedTool): void {
    this.delete(tool.key);
    const name = modelFacingName(tool);
    const group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, [tool]);
    else group.push(tool);
    this.#tools.set(tool.key, tool);
    this.#touched.add(name);
  }

  delete(key: string): void {
    const tool = this.#tools.get(key);
    if (tool === undefined) return;
    const name = modelFacingName(tool);
    const group = (this.#groups.get(name) ?? []).filter((other) => other.key !== key);
    if (group.length === 0) this.#groups.delete(name);
    else this.#groups.set(name, group);
    this.#tools.delete(key);
    this.#homeless.delete(key);
    this.#touched.add(name);
    this.#deleted.add(key);
  }

  /** The name of a tool, as of the last `settle`. */
  nameOf(key: string): string | undefined {
    return this.#names.get(key);
  }

  /** Gives names to what came, and takes those of what went. The keys of all tools whose name is another one now. */
  settle(): ReadonlySet<string> {
    const changed = new Set<string>();
    const give = (key: string, name: string): void => {
      if (this.#names.get(key) === name) return;
      this.#names.set(key, name);
      changed.add(key);
    };
    for (const name of this.#touched) {
      const group = this.#groups.get(name) ?? [];
      const keeper = keeperOf(name, group);
      for (const tool of group) {
        if (tool === keeper) {
          this.#homeless.delete(tool.key);
          give(tool.key, name);
        } else {
          this.#homeless.set(tool.key, hashed(tool, FIRST_HASH));
        }
      }
    }
    if (this.#touched.size > 0) this.#house(give);
    this.#touched.clear();
    for (const key of this.#deleted) if (!this.#tools.has(key)) this.#names.delete(key);
    this.#deleted.clear();
    return changed;
  }

  #house(give: (key: string, name: string) => void): void {
    const given = new Set<string>();
    const isTaken = (name: string): boolean => {
      if (given.has(name)) return true;
      const group = this.#groups.get(name);
      return group !== undefined && keeperOf(name, group) !== undefined;
    };
    const inFixedOrder = [...this.#homeless].sort(([one], [other]) => compareText(one, other));
    for (const [key, first] of inFixedOrder) {
      const name = hashedName(this.#tools.get(key) as NamedTool, isTaken, first);
      given.add(name);
      give(key, name);
    }
  }
}
