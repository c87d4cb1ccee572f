import { formats, keywords, plainPatterns } from './check/keywords.js';
import { allRequired, closedObjects, declaredObjects, propertyKeys, requiredDeclared } from './check/objects.js';
import { references } from './check/references.js';
import { rootKeywords, rootObject, rootProperties } from './check/root.js';
import { depth, enumTotal, largeEnum, propertyTotal, textTotal } from './check/totals.js';
import { arrayItems, minItems, scalarEnums, singleType, stringEnums, typed, unionAlone } from './check/types.js';
import { wellFormed } from './check/well-formed.js';
import type { Sighting } from './definition/finding.js';
import type { ProfileRule, RuleFor, RuleOrigin, SchemaRuleBody } from './definition/rule.js';
import type { SchemaView } from './definition/schema-view.js';

type SchemaCheck = SchemaRuleBody['check'];

/** One function per kind of rule about schemas. */
const CHECKS: { readonly [Check in SchemaCheck]: (rule: RuleFor<Check>, view: SchemaView) => readonly Sighting[] } = {
  'well-formed': wellFormed,
  'root-object': rootObject,
  'root-properties': rootProperties,
  'root-keywords': rootKeywords,
  keywords,
  formats,
  'single-type': singleType,
  typed,
  'closed-objects': closedObjects,
  'declared-objects': declaredObjects,
  'all-required': allRequired,
  'required-declared': requiredDeclared,
  'array-items': arrayItems,
  'string-enums': stringEnums,
  'scalar-enums': scalarEnums,
  'property-keys': propertyKeys,
  references,
  'plain-patterns': plainPatterns,
  'min-items': minItems,
  'union-alone': unionAlone,
  depth,
  'property-total': propertyTotal,
  'enum-total': enumTotal,
  'large-enum': largeEnum,
  'text-total': textTotal,
};

export const isSchemaRule = (rule: ProfileRule): rule is RuleOrigin & SchemaRuleBody =>
  Object.hasOwn(CHECKS, rule.check);

export const checkSchemaRule = (rule: SchemaRuleBody, view: SchemaView): readonly Sighting[] =>
  // the table pairs every check with its own rule, which TypeScript cannot follow through an index
  (CHECKS[rule.check] as (rule: SchemaRuleBody, view: SchemaView) => readonly Sighting[])(rule, view);
