/** `npm run release`, in a small repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a plain script without types.
import { dateUnreleased, nextVersion } from '../../scripts/release.mjs';
import { tempFolder } from '../support/temp-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/release.mjs');
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A door.\n\n## [0.2.9] - 2026-01-01\n\n- A wall.\n';

function createRepository({ test = 'node -e ""', changelog = CHANGELOG } = {}) {
  const folder = tempFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const manifest = { name: 'small', version: '0.2.9', scripts: { test } };
  write('package.json', JSON.stringify(manifest));
  write('package-lock.json', JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }));
  write('CHANGELOG.md', changelog);
  mkdirSync(join(folder, 'deploy/helm/fairline'), { recursive: true });
  write('deploy/helm/fairline/Chart.yaml', 'version: 0.2.9\nappVersion: 0.2.9\nkubeVersion: 1.27.0\n');
  git('init', '--quiet');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' });
  const versionIn = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')).version as string;
  return { git, write, release, versionIn, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

describe('npm run release', () => {
  it('raises the version, dates the changelog, commits and tags', () => {
    const { git, release, versionIn, read } = createRepository();
    const { status, stderr } = release('minor');
    expect(status, stderr).toBe(0);
    expect(versionIn('package.json')).toBe('0.3.0');
    expect(versionIn('package-lock.json')).toBe('0.3.0');
    expect(read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## Unreleased\n\n## \[0\.3\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A door\.\n\n## \[0\.2\.9\]/,
    );
    const chart = 'version: 0.3.0\nappVersion: 0.3.0\nkubeVersion: 1.27.0\n';
    expect(read('deploy/helm/fairline/Chart.yaml')).toBe(chart);
    expect(git('log', '-1', '--format=%s')).toBe('release: 0.3.0');
    expect(git('describe')).toBe('v0.3.0');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('changes nothing in a dry run', () => {
    const { git, release } = createRepository({ test: 'exit 1' });
    const { status, stdout } = release('major', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain('0.2.9 -> 1.0.0');
    expect(stdout).toContain('- A door.');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });

  it.each([
    ['a tree with changes', {}, 'minor', 'uncommitted changes'],
    ['failing tests', { test: 'exit 1' }, 'minor', 'npm test failed'],
    ['an empty section', { changelog: '## Unreleased\n\n## [0.2.9] - 2026-01-01\n' }, 'patch', 'nothing under'],
    ['a changelog without the section', { changelog: '## [0.2.9] - 2026-01-01\n' }, 'patch', 'nothing under'],
    ['an unknown kind', {}, 'huge', 'Usage'],
  ])('refuses %s and changes nothing', (why, options, kind, message) => {
    const { git, write, release, versionIn } = createRepository(options);
    if (why === 'a tree with changes') write('new.txt', 'not committed');
    const { status, stderr } = release(kind);
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
    expect(versionIn('package.json')).toBe('0.2.9');
    expect(git('tag')).toBe('');
  });

  it('refuses a version that is tagged', () => {
    const { git, release } = createRepository();
    git('tag', 'v0.2.10');
    expect(release('patch').stderr).toContain('v0.2.10 exists');
  });

  it('knows the next version', () => {
    expect(['patch', 'minor', 'major'].map((kind) => nextVersion('1.9.9', kind))).toEqual([
      '1.9.10',
      '1.10.0',
      '2.0.0',
    ]);
  });

  it('keeps the changelog of this repository readable', () => {
    const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
    const { text, section } = dateUnreleased(changelog, '9.0.0', '2030-01-01');
    expect(text.replace('\n## [9.0.0] - 2030-01-01\n', '')).toBe(changelog);
    expect(section).toContain('### ');
  });
});
