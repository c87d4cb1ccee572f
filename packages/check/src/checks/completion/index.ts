export { completionChecks } from './completion.js';
