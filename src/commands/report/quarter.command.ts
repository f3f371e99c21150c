import { periodReport } from './period-report.ts';

export default periodReport('quarter', {
  when: 'in a quarter',
  date: 'The quarter: 2026-Q1, q1, last-quarter. Default: this quarter.',
  examples: [
    'gw report quarter --profile local',
    'gw report quarter 2026-Q1 --profile local --by week -o csv',
  ],
});
