export { progressChecks } from './progress.js';
