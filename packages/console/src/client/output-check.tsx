import { useEffect, useState } from 'react';
import { isJson } from '../api/json.js';
import { Notice } from '../ui/notice.js';
import { counted, visible } from '../ui/format-text.js';

const MAX_SHOWN = 20;

/** The problems of a result by the schema that its tool declares; undefined until they are known. */
const useProblems = (schema: object, structured: unknown): readonly string[] | undefined => {
  const [problems, setProblems] = useState<readonly string[] | undefined>();
  useEffect(() => {
    let current = true;
    setProblems(undefined);
    // The validator is large, and already there when the tool was called by its form.
    const check = async (): Promise<void> => {
      const { problemsOf } = await import('./schema-validator.js');
      if (current) setProblems(problemsOf(schema, structured));
    };
    void check();
    return () => {
      current = false;
    };
  }, [schema, structured]);
  return problems;
};

interface OutputCheckProps {
  readonly schema: unknown;
  readonly structured: unknown;
}

const Verdict = ({ schema, structured }: { readonly schema: object; readonly structured: unknown }) => {
  const problems = useProblems(schema, structured);
  if (problems === undefined) return null;
  if (problems.length === 0) return <p className="quiet">It matches the output schema of the tool.</p>;
  return (
    <Notice tone="warn" title={`It breaks the output schema of the tool: ${counted(problems.length, 'problem')}`}>
      <ul className="facts-list">
        {problems.slice(0, MAX_SHOWN).map((problem) => (
          <li key={problem}>{visible(problem)}</li>
        ))}
      </ul>
    </Notice>
  );
};

/** Does structured content fit the output schema that the tool declares? Clients may reject what does not. */
export const OutputCheck = ({ schema, structured }: OutputCheckProps) => {
  if (!isJson(schema)) return null;
  if (structured !== undefined) return <Verdict schema={schema} structured={structured} />;
  return (
    <Notice
      tone="warn"
      title="The tool declares an output schema and sent no structured content. Clients may reject the result."
    />
  );
};
