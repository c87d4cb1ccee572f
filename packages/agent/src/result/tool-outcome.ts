import type { ToolResult } from '@plugboard/contract';

/** A part of a result: text, picture, sound, or what a newer server may send. */
export type ContentPart = NonNullable<ToolResult['content']>[number];

/** What a call gave. */
export interface ToolOutcome {
  /**
   * `result`: the tool ran. The others were not executed: `schema-changed` and `tool-removed` tell the model what the
   * server offers now, `invalid-arguments` what is wrong with its arguments.
   */
  readonly kind: 'result' | 'schema-changed' | 'tool-removed' | 'invalid-arguments' | 'unknown-tool' | 'failed';
  readonly content: readonly ContentPart[];
  readonly structuredContent: unknown;
  readonly isError: boolean;
  /** Was text cut off? The last part says how much. */
  readonly truncated: boolean;
}

/** A message for the model in place of a result. */
export const instruction = (kind: Exclude<ToolOutcome['kind'], 'result'>, text: string): ToolOutcome => ({
  kind,
  content: [{ type: 'text', text }],
  structuredContent: undefined,
  isError: true,
  truncated: false,
});
