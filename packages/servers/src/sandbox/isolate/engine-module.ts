import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

declare const compiled: unique symbol;

/** A compiled WASM module: opaque, and shared between threads. */
export interface EngineModule {
  readonly [compiled]: true;
}

/** QuickJS and what is linked into each of its instances: `TextEncoder`, `Headers`, `crypto`, `structuredClone`. */
export interface Engine {
  readonly wasm: EngineModule;
  readonly extensions: readonly { readonly name: string; readonly wasm: EngineModule }[];
}

/** The memory of one instance. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

// The types of the language's library that this repository compiles against have no WebAssembly.
interface Compiler {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> };
}

/** The extension for `URL` is not among them: Node 20 cannot compile it. */
const EXTENSIONS = ['encoding', 'headers', 'crypto', 'structured-clone'] as const;

/** The engine, compiled; keep it: compiling costs more than many runs. */
export const compileEngine = async (): Promise<Engine> => {
  const { resolve } = createRequire(import.meta.url);
  const { WebAssembly } = globalThis as unknown as Compiler;
  const compile = async (path: string): Promise<EngineModule> =>
    WebAssembly.compile(await readFile(resolve(`quickjs-wasi/${path}`)));
  const extensions = EXTENSIONS.map(async (name) => ({ name, wasm: await compile(`${name}.so`) }));
  return { wasm: await compile('quickjs.wasm'), extensions: await Promise.all(extensions) };
};
