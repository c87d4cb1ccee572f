import swc from '@swc/wasm-typescript';

export type Stripped =
  | { readonly kind: 'stripped'; readonly code: string }
  | { readonly kind: 'invalid'; readonly message: string; readonly line: number };

interface SwcRefusal {
  readonly code: string;
  readonly message: string;
  readonly startLine?: number;
}

const isRefusal = (error: unknown): error is SwcRefusal =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  'message' in error &&
  typeof error.message === 'string';

const attempt = (code: string, mode: 'strip-only' | 'transform'): string =>
  swc.transformSync(code, { mode, sourceMap: false, filename: 'main.ts' }).code;

/** Types become blanks, so that lines stay where they are; enums and the like are rewritten. */
export const stripTypes = (code: string): Stripped => {
  for (const mode of ['strip-only', 'transform'] as const) {
    try {
      return { kind: 'stripped', code: attempt(code, mode) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code === 'UnsupportedSyntax' && mode === 'strip-only') continue;
      return { kind: 'invalid', message: error.message, line: error.startLine ?? 1 };
    }
  }
  return { kind: 'invalid', message: 'The code cannot be read as TypeScript.', line: 1 };
};
