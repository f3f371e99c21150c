/**
 * The pictures in docs/pictures are what the program shows. `npm run pictures` writes them: each is
 * played in a terminal, and its screen compared to the byte.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { screenSvg } from '../helpers/screen-svg.ts';
import { havePrograms } from '../helpers/skip.ts';
import { SCENES } from './scenes.ts';
import { openStage } from './stage.ts';

/** Some are of minutes at the gateway's clock; all are of seconds at ours. */
const SCENE_TIMEOUT_MS = 150_000;
const FOLDER = 'docs/pictures';

describe.skipIf(!havePrograms('script', 'stty'))('the picture', () => {
  test.each(SCENES)(
    '$name is fresh; `npm run pictures` writes it',
    { timeout: SCENE_TIMEOUT_MS },
    async (scene) => {
      const stage = await openStage(scene.profile ?? 'local');
      await scene.play(stage);
      const { title, description } = scene;
      const svg = screenSvg({ title, description, columns: 80, rows: stage.terminal.rows() });
      await expect(svg).toMatchFileSnapshot(path.resolve(FOLDER, `${scene.name}.svg`));
    },
  );
});

test('docs/pictures has no picture of a removed scene', () => {
  const names = SCENES.map(({ name }) => `${name}.svg`);
  // Those of the desk are made in a browser (test/system/desk.test.ts).
  const drawn = readdirSync(FOLDER).filter((file) => file.endsWith('.svg'));
  expect(drawn.filter((file) => !names.includes(file))).toEqual([]);
});

describe('the documents', () => {
  const shown = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^!\[([^\]]*)\]\((?:docs\/)?pictures\/(.*)\.svg\)$/gm,
        ),
      ].map(([, words, name]) => ({ file, words, name })),
    );

  test('show every picture', () => {
    expect(new Set(shown.map(({ name }) => name))).toEqual(new Set(SCENES.map(({ name }) => name)));
  });

  test.each(shown)('$file describes $name.svg in words', (picture) => {
    expect(picture.words).toBe(SCENES.find(({ name }) => name === picture.name)?.description);
  });
});
