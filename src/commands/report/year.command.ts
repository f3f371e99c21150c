import { periodReport } from './period-report.ts';

export default periodReport('year', {
  when: 'in a year',
  date: 'The year: 2026, last-year. Default: this year.',
  examples: [
    'gw report year --profile local',
    'gw report year 2026 --profile local --by card -o csv',
  ],
});
