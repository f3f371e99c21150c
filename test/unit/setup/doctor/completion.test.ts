import { expect, test } from 'vitest';
import { usage } from '../../../../src/failure.ts';
import { checkCompletion } from '../../../../src/setup/doctor/completion.ts';

const SET_UP = 'eval "$(gw completion bash)"\n';
const texts = (files: Readonly<Record<string, string>>) => ({
  read: (file: string) => files[file.replaceAll('\\', '/')],
});

test.each([
  [{ SHELL: '/bin/bash', HOME: '/h' }, '/h/.bashrc'],
  [{ SHELL: '/usr/bin/zsh', HOME: '/h' }, '/h/.zshrc'],
  [{ SHELL: '/usr/bin/zsh', HOME: '/h', ZDOTDIR: '/z' }, '/z/.zshrc'],
  [{ SHELL: '/bin/bash', HOME: '/h' }, '/h/.local/share/bash-completion/completions/gw'],
  [{ SHELL: '/usr/bin/fish', HOME: '/h' }, '/h/.config/fish/config.fish'],
  [{ SHELL: '/usr/bin/fish', HOME: '/h', XDG_CONFIG_HOME: '/c' }, '/c/fish/completions/gw.fish'],
])('completion is found where %o has it', (env, file) => {
  expect(checkCompletion(env, texts({ [file]: `alias x=y\n${SET_UP}` })).state).toBe('ok');
  expect(checkCompletion(env, texts({ [file]: 'alias x=y\n' }))).toMatchObject({
    state: 'warning',
    next: expect.stringMatching(/^Add this line to ~\S+: .*gw completion (?:bash|zsh|fish)/),
  });
});

test.each([{}, { SHELL: '/bin/tcsh', HOME: '/h' }, { SHELL: '/bin/constructor', HOME: '/h' }])(
  'completion is not looked for with %o',
  (env) => {
    expect(checkCompletion(env, texts({})).state).toBe('ok');
  },
);

test('a startup file that cannot be read does not set it up', () => {
  const read = () => {
    throw usage('x', 'No.', 'No.');
  };
  const env = { SHELL: 'bash', HOME: '/h' };
  expect(checkCompletion(env, { read }).state).toBe('warning');
});
