import type { FolderTable } from '../folder-rules.js';

export const SCHEMA: FolderTable = {
  '.': ['adapt', 'compare', 'document', 'grade', 'lint', 'repair', 'name', 'normalise', 'profile', 'report', 'tokens', 'validate', 'adapt/step', 'lint/rule', 'profile/definition'],
  report: ['adapt', 'document', 'grade', 'lint', 'profile', 'tokens', 'lint/rule', 'profile/definition'],
  lint: ['lint/rule'],
  'lint/rule': ['document', 'profile/check', 'profile/definition', 'tokens', 'validate'],
  adapt: ['document', 'name', 'profile', 'validate', 'adapt/mapping', 'adapt/step', 'profile/check', 'profile/definition'],
  'adapt/step': ['adapt/mapping', 'document', 'profile/check', 'profile/definition'],
  'adapt/mapping': ['document'],
  repair: ['document', 'grade', 'repair/member'],
  grade: ['document', 'repair/member'],
  compare: ['document'],
  'repair/member': ['document'],
  name: ['document'],
  normalise: ['document'],
  profile: ['profile/check', 'profile/data', 'profile/definition'],
  'profile/check': ['document', 'profile/definition'],
  'profile/data': ['profile/definition'],
  'profile/definition': ['document'],
  validate: ['document'],
  tokens: [],
  document: [],
};
