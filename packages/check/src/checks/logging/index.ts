export { loggingChecks } from './logging.js';
