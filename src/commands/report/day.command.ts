import { periodReport } from './period-report.ts';

export default periodReport('day', {
  when: 'on a day',
  date: 'The day: today, yesterday, 7d or 2026-03-24. Default: today.',
  examples: ['gw report day --profile local', 'gw report day yesterday --profile local -o csv'],
});
