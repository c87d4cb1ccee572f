import { configureGlobal } from 'fast-check';

/**
 * The same runs every time: a test that fails on one machine fails on all. PROPERTY_SEED looks elsewhere, for those who
 * hunt; what they find becomes an ordinary test.
 */
configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_116) });
