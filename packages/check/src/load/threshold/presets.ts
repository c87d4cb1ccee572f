import type { LoadPlan, LoadPreset } from '@plugboard/contract';

/** What every run must show, if it was measured at all. */
export const BUILT_IN: LoadPlan['thresholds'] = {
  call_failed: ['rate<1'],
  first_calls_failed: ['count==0'],
  cold_start_failed: ['rate<1'],
  exhaustion_recovery_failed: ['rate==0'],
  stream_lost: ['count==0'],
  resumption_failed: ['count==0'],
  events_lost: ['count==0'],
};

/** Thresholds that belong together. */
export const PRESETS: Readonly<Record<LoadPreset, LoadPlan['thresholds']>> = {
  'framework-defaults': {
    call_failed: ['rate<=0.1'],
    call_duration: ['avg<5000'],
    health_duration: ['avg<1000'],
    health_failed: ['rate<0.05'],
    connections: ['rate>=0.8'],
    exhaustion_failed: ['rate<0.5'],
    memory_growth: ['value<10'],
    cpu: ['avg<80', 'max<95'],
    single_call_duration: ['avg<100', 'med<50', 'sd<50'],
    single_health_duration: ['avg<10'],
    recovery: ['value<=30000'],
  },
  strict: {
    call_failed: ['rate<=0.001'],
    call_duration: ['p(95)<200', 'p(99)<1000'],
    health_duration: ['p(99)<200'],
    health_failed: ['rate==0'],
    connections: ['rate==1'],
    exhaustion_failed: ['rate<=0.01'],
    exhaustion_recovery_failed: ['rate==0'],
    first_calls_failed: ['count==0'],
    cold_start_failed: ['count==0'],
    cold_start_duration: ['p(95)<=10000'],
    memory_growth: ['value<5'],
    cpu: ['avg<80', 'max<95'],
    single_call_duration: ['avg<50', 'p(99)<100'],
    recovery: ['value<=5000'],
    head_of_line: ['value<=3'],
    stream_ended: ['count==0'],
    list_duration: ['p(95)<=2000'],
  },
};
