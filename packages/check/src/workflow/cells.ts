import type { CheckEra, CheckTargetAddress } from '@plugboard/contract';
import { PlugboardError } from '@plugboard/contract';
import type { WorkflowPlan } from './workflow.js';

/** One run of the matrix: an era, and an address for each server. */
export interface Cell {
  /** Empty when there is only one. */
  readonly label: string;
  readonly era: CheckEra | undefined;
  readonly servers: Readonly<Record<string, CheckTargetAddress>>;
}

const MAX_CELLS = 64;

const addressLabel = ({ name, url, command, transport }: CheckTargetAddress, index: number): string =>
  name ?? transport ?? (url === undefined ? (command === undefined ? String(index) : 'stdio') : new URL(url).host);

/** Two addresses with the same label are told apart by a number. */
const labelsOf = (addresses: readonly CheckTargetAddress[]): readonly string[] => {
  const names = new Set(addresses.flatMap(({ name }) => name ?? []));
  const used = new Set<string>();
  return addresses.map((address, index) => {
    const own = addressLabel(address, index);
    const isTaken = (label: string): boolean => used.has(label) || (address.name === undefined && names.has(label));
    let label = own;
    for (let number = 2; isTaken(label); number += 1) label = `${own}-${number}`;
    used.add(label);
    return label;
  });
};

/** Every combination that the matrix names. */
export const cellsOf = ({ servers, matrix }: Pick<WorkflowPlan, 'servers' | 'matrix'>): readonly Cell[] => {
  const eras: readonly (CheckEra | undefined)[] = matrix?.era ?? [undefined];
  let cells: readonly Cell[] = eras.map((era) => ({ label: era ?? '', era, servers }));
  for (const [server, addresses] of Object.entries(matrix?.servers ?? {})) {
    const labels = labelsOf(addresses);
    cells = cells.flatMap((cell) =>
      addresses.map((address, index) => ({
        ...cell,
        label: [cell.label, `${server}=${labels[index] ?? ''}`].filter(Boolean).join(', '),
        servers: { ...cell.servers, [server]: address },
      })),
    );
    if (cells.length > MAX_CELLS) {
      throw new PlugboardError('INVALID_ARGUMENT', `The matrix has more than ${MAX_CELLS} combinations.`, {
        hint: 'Name fewer eras or addresses.',
      });
    }
  }
  return cells;
};
