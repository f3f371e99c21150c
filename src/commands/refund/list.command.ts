import { knownList } from '../../desk/lists/known-list.ts';

export default knownList('refund', {
  plural: 'refunds',
  examples: ['gw refund list', 'gw refund list --since 30d -o jsonl'],
});
