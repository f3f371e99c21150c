import { periodReport } from './period-report.ts';

export default periodReport('week', {
  when: 'in a week',
  date: 'The week, starting on Monday, by a day in it: 2026-03-24, or 7d for last week. Default: this week.',
  examples: ['gw report week --profile local --chart', 'gw report week 7d --profile local -o json'],
});
