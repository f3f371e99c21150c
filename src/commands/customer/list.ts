import { knownList } from '../../desk/find/known-list.ts';

export default knownList('customer', {
  plural: 'customers',
  examples: ['gw customer list byron', 'gw customer list -o jsonl --jq .email'],
});
