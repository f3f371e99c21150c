import { knownList } from '../../desk/lists/known-list.ts';

export default knownList('purchase', {
  plural: 'purchases',
  examples: [
    'gw purchase list',
    'gw purchase list --reference INV-1000 --outcome approved -o csv',
    'gw purchase list --profile local --amount 25.00 -o id | gw purchase get - --profile local',
  ],
});
