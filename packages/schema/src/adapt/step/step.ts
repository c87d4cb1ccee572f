import type { SchemaObject } from '../../document/json-schema.js';
import type { Profile } from '../../profile/definition/profile.js';
import type { RuleCheck, RuleFor } from '../../profile/definition/rule.js';
import type { Effect } from './change.js';
import type { Mapping } from '../mapping/mapping.js';

/** Where a node stands while a step looks at it. */
export interface Place {
  readonly pointer: string;
  readonly isRoot: boolean;
  /** Objects and arrays around the node. */
  readonly level: number;
}

export interface StepContext {
  readonly profile: Profile;
  /** The profile's rule that makes this check, if it has one that refuses. */
  readonly rule: <Check extends RuleCheck>(check: Check) => RuleFor<Check> | undefined;
  readonly isAllowed: (keyword: string) => boolean;
  readonly report: (place: Place, message: string, effect: Effect) => void;
}

/** A node rewritten, and how its values change with it; no mapping means that they do not. */
export interface Rewritten {
  readonly schema: SchemaObject;
  readonly mapping?: Mapping | null;
}

/**
 * One rewrite, applied to every node of a schema without references. `down` looks at a node before what it contains
 * and keeps out of what it replaced; `up` looks at it afterwards.
 */
export interface Step {
  readonly id: string;
  readonly order: 'down' | 'up';
  /** The checks that make this step necessary; absent when every profile needs it. */
  readonly serves?: readonly RuleCheck[];
  /** Undefined leaves the node as it is. */
  readonly rewrite: (node: SchemaObject, place: Place, context: StepContext) => Rewritten | undefined;
}
