/** One thing that the doctor looked at. */
export interface Finding {
  readonly id: string;
  /** What was looked at, in a word or two. */
  readonly subject: string;
  readonly verdict: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly fix?: string;
}

type Told = Omit<Finding, 'verdict' | 'fix'>;

export const fine = (told: Told): Finding => ({ ...told, verdict: 'ok' });

export const warning = (told: Told, fix: string): Finding => ({ ...told, verdict: 'warning', fix });

export const problem = (told: Told, fix: string): Finding => ({ ...told, verdict: 'problem', fix });
