import { at, isObject, type JsonObject } from '../../connection/json.js';
import type { Usage } from '../ask.js';
import type { ProviderError } from './dialect.js';

export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
};

const countAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined;
};

/** Where a provider has its counts. */
export interface UsageNames {
  readonly input: string;
  readonly output: string;
  readonly total?: string;
  readonly cached: readonly string[];
  readonly reasoning?: readonly string[];
}

/** Token counts under the names of a provider; undefined when there are none at all. */
export const usageAt = (value: unknown, names: UsageNames): Usage | undefined => {
  if (!isObject(value)) return undefined;
  return {
    input: countAt(value, names.input),
    output: countAt(value, names.output),
    total: names.total === undefined ? undefined : countAt(value, names.total),
    cached: countAt(value, ...names.cached),
    reasoning: names.reasoning === undefined ? undefined : countAt(value, ...names.reasoning),
  };
};

/** Collects where a body does not have the documented shape. */
export class Shape {
  readonly problems: string[] = [];

  text(value: unknown, where: string): string {
    if (typeof value === 'string' && value !== '') return value;
    this.problems.push(`${where} must be a text that is not empty`);
    return '';
  }

  equals(value: unknown, expected: string, where: string): void {
    if (value !== expected) this.problems.push(`${where} must be "${expected}"`);
  }

  object(value: unknown, where: string): JsonObject {
    if (isObject(value)) return value;
    this.problems.push(`${where} must be an object`);
    return {};
  }

  list(value: unknown, where: string, least = 0): readonly unknown[] {
    if (Array.isArray(value) && value.length >= least) return value;
    this.problems.push(`${where} must be a list${least > 0 ? ` with at least ${least} entry` : ''}`);
    return [];
  }
}

/** The error of OpenAI and Anthropic: a member `error` with a type and a message. */
export const errorMember = (body: unknown): ProviderError | undefined => {
  const message = textAt(body, 'error', 'message');
  if (message === undefined) return undefined;
  return { type: textAt(body, 'error', 'code') ?? textAt(body, 'error', 'type') ?? '', message };
};
