import { ImageCollector } from '../../tree/image-collector.js';
import type { ReadOptions } from '../../tree/document-reader.js';
import { blocksOf } from './odf-blocks.js';
import type { OdfReading } from './odf-reading.js';
import { OdfStyles } from './odf-styles.js';
import type { OdfFile } from './open-odf.js';

export const startReading = (file: OdfFile, options: ReadOptions): OdfReading => ({
  archive: file.archive,
  styles: new OdfStyles(file),
  collector: new ImageCollector(options),
  depth: options.limits.depth,
  notes: [],
  blocks: blocksOf,
  reached: new Map(),
  lost: { comments: 0, objects: 0, deletions: 0 },
});
