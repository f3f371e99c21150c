/** Shows the settings of a profile, and asks which ones to change. */
import { changesOf, profileFlags, type SettingFlags } from '../../cli/flags/profile-flags.ts';
import { promisedEnvironment } from '../../client/profiles/profile.ts';
import { faultOfSettings } from '../../client/profiles/settings.ts';
import { type ProfileChanges, showProfile } from '../../client/profiles/store.ts';
import { explainCancellation, faultOfTyped } from '../../failure.ts';
import type { Choice, Host } from '../../host/host.ts';
import { tellSameCommand } from '../../requests/asking.ts';
import { Questions } from '../../requests/questions.ts';
import { textOf } from '../../view/values.ts';
import { settingsOf } from './setting-list.ts';

/** @returns the changes, at least one */
export async function askForSettings(
  { files, prompts, stderr }: Pick<Host, 'files' | 'prompts' | 'stderr'>,
  name: string,
): Promise<ProfileChanges> {
  const questions = new Questions(prompts);
  const flags: Record<string, string | boolean> = {};
  const settings = settingsOf(await showProfile(files, name));
  // A name that promises an environment has no other one.
  if (promisedEnvironment(name) !== undefined) settings.delete('environment');
  await explainCancellation('Nothing was changed.', async () => {
    for (let last: Choice[] = []; ; last = [{ value: '', name: 'Nothing else' }]) {
      const choices = [...settings].map(([flag, { name: called, value }]) => ({
        value: flag,
        name: called.replaceAll('_', ' '),
        hint: textOf(flags[flag] ?? value) ?? '-',
      }));
      const question = last.length > 0 ? 'Change what else?' : `Change what of ${name}?`;
      const flag = await questions.select(question, [...last, ...choices]);
      if (flag === '') return;
      flags[flag] = await askForSetting(questions, flag);
      questions.answer(flag, flags[flag]);
    }
  });
  questions.end();
  await tellSameCommand(stderr, questions, { words: ['profile', 'set', name], typed: {} });
  return changesOf(flags);
}

/** @returns the value as its flag takes it */
async function askForSetting(questions: Questions, flag: string): Promise<string | boolean> {
  const setting = profileFlags[flag as keyof typeof profileFlags];
  const isYesOrNo = setting.type === 'boolean';
  const words = isYesOrNo ? ['yes', 'no'] : 'options' in setting && setting.options;
  const question = `${setting.description.replace(/\.$/, '')} (--${flag}):`;
  if (!words) return questions.text(question, { check: checkOf(flag) });
  const choices = words.map((word) => ({ value: word, name: word }));
  const word = await questions.select(question, choices);
  return isYesOrNo ? word === 'yes' : word;
}

const checkOf = (flag: string) => (typed: string) => {
  if (typed === '') return 'Type a value. The word none removes it';
  let fault: string | undefined;
  const read = faultOfTyped(() => {
    fault = faultOfSettings(changesOf({ [flag]: typed } as SettingFlags));
  });
  return fault === undefined ? read : `It ${fault}`;
};
