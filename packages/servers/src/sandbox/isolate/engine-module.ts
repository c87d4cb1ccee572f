import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

declare const compiled: unique symbol;

/** A compiled WASM module: opaque, and shared between threads. */
export interface EngineModule {
  readonly [compiled]: true;
}

/** The memory of one instance. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

// The types of the language's library that this repository compiles against have no WebAssembly.
interface Compiler {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> };
}

/** The engine, compiled; keep it: compiling costs more than many runs. */
export const compileEngine = async (): Promise<EngineModule> => {
  const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
  const { WebAssembly } = globalThis as unknown as Compiler;
  return WebAssembly.compile(await readFile(path));
};
