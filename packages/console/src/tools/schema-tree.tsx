import { visible } from '../ui/format-text.js';
import { type Branch, branchesOf } from './schema-branch.js';

const MAX_DEPTH = 8;

const Node = ({ branch, depth }: { readonly branch: Branch; readonly depth: number }) => {
  const { name, type, required, description, notes, schema } = branch;
  const children = depth >= MAX_DEPTH ? [] : branchesOf(schema);
  return (
    <li className="tree-node">
      <div>
        <code>{visible(name)}</code> <span className="tree-type">{visible(type)}</span>
        {required ? <span className="tree-required"> required</span> : null}
        {notes.map((note) => (
          <span key={note} className="quiet">
            {' '}
            · {visible(note)}
          </span>
        ))}
      </div>
      {description === '' ? null : <p className="quiet">{visible(description)}</p>}
      {children.length === 0 ? null : <Tree branches={children} depth={depth + 1} />}
    </li>
  );
};

const Tree = ({ branches, depth }: { readonly branches: readonly Branch[]; readonly depth: number }) => (
  <ul className="tree">
    {branches.map((branch, at) => (
      <Node key={`${at}-${branch.name}`} branch={branch} depth={depth} />
    ))}
  </ul>
);

/** The arguments of a tool, or the members of its result, as a person reads them. */
export const SchemaTree = ({ schema, empty }: { readonly schema: unknown; readonly empty: string }) => {
  const branches = branchesOf(schema);
  return branches.length === 0 ? <p className="quiet">{empty}</p> : <Tree branches={branches} depth={0} />;
};
