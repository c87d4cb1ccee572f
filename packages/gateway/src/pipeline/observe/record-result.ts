import { hideSecretMembers, isSecretMember, namesSecret } from '@plugboard/contract';
import { isJsonObject } from '@plugboard/wire';

const MAX_CHARACTERS = 8192;
const MAX_TEXT = 2000;
const MAX_NAME = 128;
const HIDDEN = '••••';

/** Members that hold bytes of pictures, sound and files. */
const isMedia = (name: string, value: string): boolean => (name === 'data' || name === 'blob') && value.length > 64;

const isSecret = (name: string): boolean => namesSecret(name) || isSecretMember(name);

const keptText = (name: string, text: string): string => {
  if (isMedia(name, text)) return `${text.length} characters of data`;
  // Most servers send a structured result once more as text.
  const kept = hideSecretMembers(text.slice(0, MAX_TEXT), HIDDEN, isSecret);
  return text.length > MAX_TEXT ? `${kept}… (${text.length} characters)` : kept;
};

/** Copies what fits. Whatever is left is not looked at. */
class Excerpt {
  #left = MAX_CHARACTERS;
  cut = false;

  of(value: unknown, name = ''): unknown {
    if (value !== null && typeof value === 'object') {
      if (isSecret(name)) return this.#text(HIDDEN);
      return Array.isArray(value) ? this.#list(value) : this.#object(value);
    }
    if (typeof value === 'string') return this.#text(isSecret(name) ? HIDDEN : keptText(name, value));
    if (typeof value === 'number' && isSecret(name)) return this.#text(HIDDEN);
    this.#left -= 5;
    return value;
  }

  #text(text: string): string {
    const fits = text.length > this.#left ? `${text.slice(0, Math.max(0, this.#left))}…` : text;
    this.#left -= fits.length + 3;
    return fits;
  }

  #list(list: readonly unknown[]): unknown[] {
    const kept: unknown[] = [];
    for (const element of list) {
      if (this.#isFull()) break;
      kept.push(this.of(element));
    }
    this.#left -= 2;
    return kept;
  }

  #object(value: object): unknown {
    if (!isJsonObject(value)) return null;
    const kept: [string, unknown][] = [];
    for (const name in value) {
      if (this.#isFull()) break;
      const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
      this.#left -= shown.length + 4;
      kept.push([shown, this.of(value[name], name)]);
    }
    this.#left -= 2;
    return Object.fromEntries(kept);
  }

  #isFull(): boolean {
    if (this.#left <= 0) this.cut = true;
    return this.#left <= 0;
  }
}

/**
 * A result of a tool as the audit trail keeps it, as JSON: values under telling names are hidden, media are counted, long texts
 * and whatever is beyond 8 KiB are cut.
 */
export const recordResult = (result: unknown): string => {
  const excerpt = new Excerpt();
  const value = JSON.stringify(excerpt.of(result)) as string | undefined;
  return `{"cut":${excerpt.cut},"value":${value ?? 'null'}}`;
};
