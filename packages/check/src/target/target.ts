export { checkTarget, type CheckTarget, type CheckTargetInput, type FailOn } from '@plugboard/contract';
