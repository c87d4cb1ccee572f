import type { Toolset, ToolsetId } from '@plugboard/contract';
import type { Insertable, Selectable } from 'kysely';
import { isoTime } from '../port/clock.js';
import type { Tables } from './tables.js';

type ToolsetSettings = Omit<Toolset, 'id' | 'name' | 'created_at' | 'updated_at'>;

export const toToolsetRow = ({
  id,
  name,
  created_at,
  updated_at,
  ...settings
}: Toolset): Insertable<Tables['toolsets']> => ({
  id,
  name,
  settings: JSON.stringify(settings),
  created_at: Date.parse(created_at),
  updated_at: Date.parse(updated_at),
});

export const fromToolsetRow = (row: Selectable<Tables['toolsets']>): Toolset => ({
  id: row.id as ToolsetId,
  name: row.name,
  ...(JSON.parse(row.settings) as ToolsetSettings),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});
