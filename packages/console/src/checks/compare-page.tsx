import { useMemo, useState } from 'react';
import { Link, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useCheckReport, useCheckRun } from '../api/checks.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Choice } from '../ui/choice.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { ago, counted, visible } from '../ui/format-text.js';
import { type Change, type ComparedCheck, comparedRuns } from './run-comparison.js';
import { runWords } from '../ui/run-words.js';
import { VERDICTS } from './run-words.js';

const CHANGES: Readonly<Record<Change, { readonly tone: Tone; readonly word: string }>> = {
  worse: { tone: 'bad', word: 'Worse' },
  better: { tone: 'good', word: 'Better' },
  different: { tone: 'info', word: 'Different' },
  new: { tone: 'info', word: 'Only in the second' },
  missing: { tone: 'quiet', word: 'Only in the first' },
};

const Side = ({ id, label }: { readonly id: string; readonly label: string }) => {
  const run = useCheckRun(id);
  if (run.data === undefined) return null;
  const { tone, word } = runWords(run.data);
  return (
    <div className="card padded stack tight">
      <span className="quiet">{label}</span>
      <Link href={`/checks/${id}`}>
        {visible(run.data.target.label)}, {run.data.tier}, {ago(run.data.created_at)}
      </Link>
      <Badge tone={tone}>{word}</Badge>
    </div>
  );
};

const verdictWord = (verdict: ComparedCheck['before']): string =>
  verdict === undefined ? '–' : VERDICTS[verdict].word;

const Row = ({ check }: { readonly check: ComparedCheck }) => {
  const { tone, word } = CHANGES[check.change];
  return (
    <li className="finding stack tight">
      <p>
        <Badge tone={tone}>{word}</Badge> <code>{check.id}</code> {visible(check.title)}{' '}
        <span className="quiet">
          {check.era}: {verdictWord(check.before)} → {verdictWord(check.after)}
        </span>
      </p>
      {check.detail === undefined ? null : <p className="quiet">{visible(check.detail)}</p>}
    </li>
  );
};

/** Two runs side by side: only what differs. */
export const ComparePage = () => {
  const { before, after } = useParams<{ before: string; after: string }>();
  const first = useCheckReport(before, true);
  const second = useCheckReport(after, true);
  const [change, setChange] = useState<Change | ''>('');
  const compared = useMemo(
    () => (first.data === undefined || second.data === undefined ? undefined : comparedRuns(first.data, second.data)),
    [first.data, second.data],
  );
  const shown = compared?.filter((one) => change === '' || one.change === change) ?? [];
  const failed = first.isError ? first.error : second.isError ? second.error : undefined;
  return (
    <Page title="Comparison of two runs" about="Checks whose verdict differs. The others agree.">
      <div className="two">
        <Side id={before} label="First run" />
        <Side id={after} label="Second run" />
      </div>
      {failed === undefined ? null : <Failure error={toApiError(failed)} />}
      {compared === undefined && failed === undefined ? <Skeleton lines={4} /> : null}
      {compared?.length === 0 ? <Notice tone="good">Both runs came to the same verdicts.</Notice> : null}
      {compared === undefined || compared.length === 0 ? null : (
        <>
          <div className="filters">
            <Choice
              label="Change"
              value={change}
              options={[
                ['', 'All changes'],
                ...(Object.keys(CHANGES) as Change[]).map((value) => [value, CHANGES[value].word] as const),
              ]}
              onChange={setChange}
            />
            <span className="quiet">{counted(shown.length, 'check')} shown</span>
          </div>
          <ul className="card rows" aria-label="Differences">
            {shown.map((check) => (
              <Row key={`${check.id} ${check.era}`} check={check} />
            ))}
          </ul>
        </>
      )}
    </Page>
  );
};
