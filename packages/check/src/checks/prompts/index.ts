export { promptChecks } from './prompts.js';
