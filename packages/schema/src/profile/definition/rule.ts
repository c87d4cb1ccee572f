/** Where a rule comes from, and when it was taken down: limits of others move, so look again before relying on one. */
export interface RuleOrigin {
  /** The rule's name in reports, such as `OAI-05`. */
  readonly id: string;
  /** error: the request or the tool is refused. warning: it is taken, and works worse. */
  readonly level: 'error' | 'warning';
  readonly source: string;
  readonly recorded: string;
}

/** What a rule demands of one schema. */
export type SchemaRuleBody =
  | { readonly check: 'well-formed' }
  | { readonly check: 'root-object' }
  | { readonly check: 'root-properties' }
  | { readonly check: 'root-keywords'; readonly forbidden: readonly string[] }
  | { readonly check: 'keywords'; readonly allowed: readonly string[] }
  | { readonly check: 'formats'; readonly allowed: readonly string[] }
  | { readonly check: 'single-type' }
  | { readonly check: 'typed'; readonly by: readonly string[] }
  | { readonly check: 'closed-objects' }
  | { readonly check: 'declared-objects' }
  | { readonly check: 'all-required' }
  | { readonly check: 'required-declared' }
  | { readonly check: 'array-items' }
  | { readonly check: 'string-enums' }
  | { readonly check: 'scalar-enums' }
  | { readonly check: 'property-keys'; readonly pattern: string }
  | { readonly check: 'references'; readonly allowed: 'any' | 'non-recursive' | 'none' }
  | { readonly check: 'plain-patterns' }
  | { readonly check: 'min-items'; readonly max: number }
  | { readonly check: 'union-alone' }
  | { readonly check: 'depth'; readonly max: number }
  | { readonly check: 'property-total'; readonly max: number }
  | { readonly check: 'enum-total'; readonly max: number }
  | { readonly check: 'large-enum'; readonly values: number; readonly characters: number }
  | { readonly check: 'text-total'; readonly max: number };

/** What a rule demands of one tool beside its schema. */
export type ToolRuleBody =
  | { readonly check: 'tool-name'; readonly pattern: string; readonly max: number }
  | { readonly check: 'description'; readonly min?: number; readonly max?: number }
  | { readonly check: 'title' }
  | { readonly check: 'hints' };

/** What a rule demands of everything that is sent in one request. */
export type ListRuleBody =
  | { readonly check: 'tool-count'; readonly max: number }
  | { readonly check: 'unique-names' }
  | { readonly check: 'optional-total'; readonly max: number }
  | { readonly check: 'union-total'; readonly max: number };

export type RuleBody = SchemaRuleBody | ToolRuleBody | ListRuleBody;
export type RuleCheck = RuleBody['check'];

export type ProfileRule = RuleOrigin & RuleBody;

/** The body of the rule that makes the check `Check`. */
export type RuleFor<Check extends RuleCheck> = Extract<RuleBody, { readonly check: Check }>;
