import { knownList } from '../../desk/lists/known-list.ts';

export default knownList('subscription', {
  plural: 'subscriptions',
  examples: [
    'gw subscription list --outcome active',
    'gw subscription list --profile local -o id | gw subscription get - --profile local',
  ],
});
