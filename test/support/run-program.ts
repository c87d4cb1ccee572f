import { spawn } from 'node:child_process';

export interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to its input, which then ends. */
  readonly input?: string;
  readonly deadlineMs: number;
}

export interface ProgramOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only what a program needs to run: nothing of the tester's own settings reaches it. */
const inherited = (): Record<string, string> => {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
};

const endGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
};

/** Runs a program to its end, with all its children, and kills them at the deadline. */
export const runProgram = async (run: ProgramRun): Promise<ProgramOutcome> => {
  const child = spawn(run.command, [...run.args], {
    env: { ...inherited(), ...run.env },
    ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  child.stdin.on('error', () => undefined).end(run.input ?? '');
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, run.deadlineMs);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    if (late) {
      throw new Error(`${run.args[0] ?? run.command} had not ended after ${run.deadlineMs} ms:\n${text.stderr}`);
    }
    return { code, ...text };
  } finally {
    clearTimeout(timer);
    endGroup(child.pid);
  }
};
