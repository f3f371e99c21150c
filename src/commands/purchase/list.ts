import { knownList } from '../../dispatch/known-list.ts';

export default knownList('purchase', {
  plural: 'purchases',
  examples: [
    'gw purchase list',
    'gw purchase list ada --outcome approved --since 30d -o csv',
    'gw purchase list --amount 25.00 -o id | gw purchase get - --profile local',
  ],
});
