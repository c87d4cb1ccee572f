/** One thing that a sandbox shows, at `target`. Those further up in the tree come first. */
export type SandboxMount =
  | { readonly kind: 'bind'; readonly source: string; readonly target: string; readonly writable: boolean }
  | { readonly kind: 'link'; readonly to: string; readonly target: string }
  /** A directory of its own in memory. */
  | { readonly kind: 'empty'; readonly target: string; readonly writable: boolean }
  /** A file that is there, but has no content. */
  | { readonly kind: 'blank'; readonly target: string }
  /** A place to stand in. */
  | { readonly kind: 'directory'; readonly target: string };

/** Everything a program in a sandbox sees, whichever mechanism builds it. */
export interface SandboxPlan {
  readonly mounts: readonly SandboxMount[];
  readonly network: boolean;
  readonly cwd: string;
  /** The program by its full path. */
  readonly program: string;
  readonly args: readonly string[];
}

const depth = (path: string): number => path.split('/').length;

export const inOrder = (mounts: readonly SandboxMount[]): readonly SandboxMount[] =>
  mounts.toSorted((a, b) => depth(a.target) - depth(b.target));
