import type { SchemaObject } from '../document/json-schema.js';
import type { SchemaNode } from '../document/walk-schema.js';
import type { Findings } from './findings.js';
import type { SchemaDocument } from './schema-document.js';

/** One schema under examination. */
export interface Examined {
  readonly schema: SchemaObject;
  readonly node: SchemaNode;
  readonly document: SchemaDocument;
  readonly findings: Findings;
}

/** Looks at one schema and adds what it finds. */
export type NodeCheck = (examined: Examined) => void;
