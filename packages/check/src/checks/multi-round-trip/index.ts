export { multiRoundTripChecks } from './multi-round-trip.js';
