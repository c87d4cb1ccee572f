export { cancellationChecks } from './cancellation.js';
