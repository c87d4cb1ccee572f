import type { Check } from '../../model/check.js';
import { dribble, junkLine, lineEndings, longLine, splitCharacter, twoInOne } from './input.js';
import { framing, onlyMessages } from './output.js';
import { backpressure, endsBySignal, endsWithInput, sideBySide } from './process.js';

export const stdioChecks: readonly Check[] = [
  onlyMessages,
  framing,
  splitCharacter,
  twoInOne,
  dribble,
  lineEndings,
  junkLine,
  longLine,
  endsWithInput,
  endsBySignal,
  sideBySide,
  backpressure,
];
