import { knownList } from '../../desk/lists/known-list.ts';

export default knownList('customer', {
  plural: 'customers',
  examples: [
    'gw customer list byron',
    'gw customer list --expires april',
    'gw customer list -o jsonl --jq .email',
  ],
});
