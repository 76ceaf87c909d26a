/**
 * `npm run release -- patch|minor|major [--dry-run]`: checks everything, raises the version, dates the section "Unreleased"
 * of the changelog, commits and tags. It pushes and publishes nothing. Run it on a clean tree; a failed check changes nothing.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const KINDS = ['patch', 'minor', 'major'];
const CHART = 'deploy/helm/fairline/Chart.yaml';
const USAGE = `Usage: npm run release -- ${KINDS.join('|')} [--dry-run]`;

/** 0.2.9 by `minor`: 0.3.0. */
export function nextVersion(version, kind) {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (found === null) throw new Error(`package.json: version ${version} is not of the form 1.2.3`);
  const [major, minor, patch] = found.slice(1).map(Number);
  if (kind === 'major') return `${major + 1}.0.0`;
  return kind === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** The changelog with the content of "Unreleased" under the version, and that content. */
export function dateUnreleased(changelog, version, date) {
  const found = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog);
  const section = found?.[1]?.trim() ?? '';
  if (section === '') throw new Error('CHANGELOG.md: nothing under "## Unreleased"; describe the changes first');
  const { index } = found;
  const after = changelog.slice(index + found[0].length);
  return {
    text: `${changelog.slice(0, index)}## Unreleased\n\n## [${version}] - ${date}\n\n${section}\n\n${after}`,
    section,
  };
}

function release(kind, isDryRun) {
  const dirty = git('status', '--porcelain');
  if (dirty !== '') throw new Error(`the tree has uncommitted changes; commit or remove them first:\n${dirty}`);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const version = nextVersion(manifest.version, kind);
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') throw new Error(`the tag ${tag} exists`);
  const date = new Date().toISOString().slice(0, 10);
  const { text, section } = dateUnreleased(readFileSync('CHANGELOG.md', 'utf8'), version, date);
  console.log(`${manifest.version} -> ${version}\n\n${section}\n`);
  if (isDryRun) {
    console.log(
      `Dry run: would run npm test, write package.json, package-lock.json, CHANGELOG.md and the chart, commit, and tag ${tag}.`,
    );
    return;
  }
  run('npm', ['test'], 'inherit');
  // Before anything is written: the tests must not have changed the tree either.
  if (git('status', '--porcelain') !== '') throw new Error('npm test left changes in the tree');
  writeFileSync('CHANGELOG.md', text);
  writeFileSync(CHART, readFileSync(CHART, 'utf8').replaceAll(`ersion: ${manifest.version}\n`, `ersion: ${version}\n`));
  run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts', '--loglevel=error'], 'ignore');
  git('commit', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', tag, '--message', `Fairline ${version}`);
  console.log(`\nTagged ${tag}. Next: git push --follow-tags, then npm pack or npm publish.`);
}

function git(...args) {
  return run('git', args, 'pipe').trim();
}

function run(command, args, stdio) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { stdio, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed ${error?.message ?? stderr ?? ''}`.trim());
  return stdout ?? '';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2);
  const [kind, ...others] = words.filter((word) => word !== '--dry-run');
  if (!KINDS.includes(kind) || others.length > 0) {
    console.error(USAGE);
    process.exit(2);
  }
  try {
    // `npm run release --dry-run` gives the option to npm instead of this script.
    release(kind, words.includes('--dry-run') || process.env.npm_config_dry_run === 'true');
  } catch (error) {
    console.error(`release: ${error.message}`);
    process.exit(1);
  }
}
