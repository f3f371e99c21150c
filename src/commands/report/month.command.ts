import { periodReport } from './period-report.ts';

export default periodReport('month', {
  when: 'in a month',
  date: 'The month: 2026-03, or a day in it. Default: this month.',
  examples: [
    'gw report month --profile local',
    'gw report month 2026-03 --profile local --by plan -o csv',
  ],
});
