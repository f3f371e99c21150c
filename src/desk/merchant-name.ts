/** The merchant's name at the head of pages for other people: receipts, and the owner's page. */
import { ENVIRONMENT_PROFILE, LOCAL_PROFILE, type Profile } from '../client/profiles/profile.ts';
import { setProfile } from '../client/profiles/store.ts';
import { explainCancellation } from '../failure.ts';
import type { Host } from '../host/host.ts';

/**
 * Asks for a name that the profile lacks, and keeps it there. The test gateway and the profile of the variables keep
 * nothing. A profile's own name is for its operators, and never stands at the head.
 * @returns the name; null if there is none, which stderr says
 */
export async function merchantNameOf(
  { files, prompts, stderr }: Pick<Host, 'files' | 'prompts' | 'stderr'>,
  { name, merchantName }: Pick<Profile, 'name' | 'merchantName'>,
  { mayAsk }: { readonly mayAsk: boolean },
): Promise<string | null> {
  if (merchantName !== undefined) return merchantName;
  const isStored = name !== LOCAL_PROFILE.name && name !== ENVIRONMENT_PROFILE;
  const set = `gw profile set ${isStored ? name : 'NAME'} --merchant-name`;
  const question =
    "The merchant's name, for the head of receipts and reports (empty for none now):";
  const ask = () => prompts.text(question);
  const typed = isStored && mayAsk ? await explainCancellation('Nothing was written.', ask) : '';
  if (typed !== '') await setProfile(files, name, { merchantName: typed });
  const kept = isStored ? '' : `, and the profile ${name} keeps none`;
  await stderr.write(
    typed === ''
      ? `No merchant is named at the head${kept}: \`${set} "Corner Shop"\` names it for ${isStored ? 'this profile' : 'a profile of your own'}.\n`
      : `Kept for the profile ${name}; \`${set} NAME\` changes it.\n`,
  );
  return typed || null;
}
