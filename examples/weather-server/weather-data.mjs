/** Alerts by state. */
export const ALERTS = {
  CA: [
    { event: 'Red Flag Warning', area: 'San Gabriel Mountains', severity: 'Severe' },
    { event: 'Wind Advisory', area: 'Santa Clarita Valley', severity: 'Moderate' },
  ],
  NY: [{ event: 'Winter Storm Watch', area: 'Western Adirondacks', severity: 'Severe' }],
};

/** Forecasts of a few places. */
export const FORECASTS = [
  {
    place: 'Oslo',
    latitude: 59.91,
    longitude: 10.75,
    periods: [
      { name: 'Today', temperature: 2, forecast: 'sleet' },
      { name: 'Tomorrow', temperature: -1, forecast: 'snow' },
    ],
  },
  {
    place: 'San Francisco',
    latitude: 37.77,
    longitude: -122.42,
    periods: [
      { name: 'Today', temperature: 15, forecast: 'fog, then sun' },
      { name: 'Tomorrow', temperature: 17, forecast: 'sun' },
    ],
  },
  {
    place: 'New York',
    latitude: 40.71,
    longitude: -74.01,
    periods: [
      { name: 'Today', temperature: 6, forecast: 'rain' },
      { name: 'Tomorrow', temperature: 4, forecast: 'cloudy' },
    ],
  },
];
