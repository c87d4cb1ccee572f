import type { CheckRun } from '@plugboard/contract';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useCheckRuns } from '../api/checks.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { ago, counted, visible } from '../ui/format-text.js';
import { runWords } from '../ui/run-words.js';
import { StartCheck } from './start-check.js';

interface RowProps {
  readonly run: CheckRun;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

const Row = ({ run, chosen, onChoose }: RowProps) => {
  const { tone, word } = runWords(run);
  return (
    <li className="choose-row">
      <input
        type="checkbox"
        aria-label={`Compare the run of ${run.target.label}, ${ago(run.created_at)}`}
        checked={chosen}
        disabled={run.state !== 'finished'}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <Link href={`/checks/${run.id}`} className="row check-row">
        <span className="row-name">{visible(run.target.label)}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="quiet">{run.tier}</span>
        <span className="quiet row-note">
          {run.summary === undefined
            ? `${run.done} of ${run.planned ?? '?'} checks`
            : `${run.summary.pass} passed, ${run.summary.fail} failed, ${counted(run.summary.warn, 'warning')}`}
        </span>
        <span className="quiet">{ago(run.created_at)}</span>
      </Link>
    </li>
  );
};

/** Runs of the past, by server and outcome. Two of them can be compared. */
const History = ({ runs }: { readonly runs: readonly CheckRun[] }) => {
  const [, navigate] = useLocation();
  const [label, setLabel] = useState('');
  const [word, setWord] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const labels = useMemo(() => [...new Set(runs.map(({ target }) => target.label))].sort(), [runs]);
  const words = useMemo(() => [...new Set(runs.map((run) => runWords(run).word))].sort(), [runs]);
  const shown = runs.filter(
    (run) => (label === '' || run.target.label === label) && (word === '' || runWords(run).word === word),
  );
  // The list has the newest first; a comparison goes from the older to the newer.
  const [after, before] = runs.map(({ id }) => id).filter((id) => chosen.includes(id));
  return (
    <>
      <div className="filters">
        <Choice
          label="Server of the runs"
          value={label}
          options={[['', 'All servers'], ...labels.map((one) => [one, visible(one)] as const)]}
          onChange={setLabel}
        />
        <Choice
          label="Outcome"
          value={word}
          options={[['', 'All outcomes'], ...words.map((one) => [one, one] as const)]}
          onChange={setWord}
        />
        <Button
          disabled={chosen.length !== 2 || before === undefined || after === undefined}
          onClick={() => navigate(`/checks/compare/${before ?? ''}/${after ?? ''}`)}
        >
          Compare two runs
        </Button>
      </div>
      <ul className="card rows" aria-label="Runs">
        {shown.map((run) => (
          <Row
            key={run.id}
            run={run}
            chosen={chosen.includes(run.id)}
            onChoose={(add) =>
              setChosen((old) => (add ? [...old, run.id].slice(-2) : old.filter((id) => id !== run.id)))
            }
          />
        ))}
      </ul>
    </>
  );
};

export const ChecksPage = () => {
  const runs = useCheckRuns();
  return (
    <Page
      title="Checks"
      about="The referee examines a server: protocol, robustness, security. Each finding has its evidence."
    >
      <StartCheck />
      {runs.isError ? <Failure error={toApiError(runs.error)} /> : null}
      {runs.data === undefined && !runs.isError ? <Skeleton /> : null}
      {runs.data?.length === 0 ? (
        <Empty title="No runs yet">
          <p>Choose a server and start one. It takes a few seconds and changes nothing on the server.</p>
        </Empty>
      ) : null}
      {runs.data === undefined || runs.data.length === 0 ? null : <History runs={runs.data} />}
    </Page>
  );
};
