/** `fairline pass`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGateConfig } from '../config/read-config.ts';
import { createStaffLinks, MOST_PASS_MINUTES, toLinkPath } from '../gate/access/staff-passes.ts';
import { systemClock } from '../platform/clock.ts';
import { OptionsError, option, readOptions } from '../platform/settings/options.ts';
import { integer, text } from '../platform/settings/settings.ts';
import { createKeyRing } from '../signing-keys/key-ring.ts';
import type { Command } from './command.ts';
import { urlOption } from './url-option.ts';

const options = {
  event: option(
    'ID',
    text({
      default: undefined,
      pattern: /^[A-Za-z0-9_-]{1,64}(,[A-Za-z0-9_-]{1,64}){0,19}$/,
      allowed: 'an event id, or up to 20 of them separated by commas',
      about: 'The events to pass without waiting. Required.',
    }),
  ),
  minutes: option(
    'N',
    integer({ default: 60, min: 1, max: MOST_PASS_MINUTES, about: 'How long the pass is valid, from now on.' }),
  ),
  name: option(
    'NAME',
    text({
      default: 'staff',
      pattern: /^[^\p{C}]{1,60}$/u,
      allowed: '1 to 60 characters',
      about: 'Whose it is: shown in /admin and in the audit trail.',
    }),
  ),
  url: urlOption('The site as staff see it.'),
  'secret-file': option(
    'FILE',
    text({
      default: undefined,
      pattern: /^.+$/,
      allowed: 'a file with QUEUE_ENTRY_TOKEN_SECRET, or the secrets.json of an embedded instance',
      defaultText: 'the setting QUEUE_ENTRY_TOKEN_SECRET, else DATA_DIR/secrets.json',
      about: 'Where the secret is that signs the link.',
    }),
  ),
};

export const pass: Command = {
  summary: 'print a link with which staff pass an event without waiting',
  usage: ['pass --event ID [options]'],
  about: `Prints a staff link. The first device that opens it can pass the event without waiting until the time is
over; on other devices it is refused. The link is signed with QUEUE_ENTRY_TOKEN_SECRET and needs no running
instance. Give it to one person, over a private channel. /admin lists passes once they are opened, and
revokes them (docs/guides/admin.md).`,
  options,
  examples: [
    'fairline pass --event spring-tour --minutes 90 --name Mina --url https://tickets.example',
    'fairline pass --event spring-tour,fan-meeting --secret-file data/secrets.json',
  ],
  async run(args, { print, fail }) {
    const { values } = readOptions(options, args);
    if (values.event === undefined) throw new OptionsError('--event is required: the event to pass without waiting');
    const events = values.event.split(',');
    const keys = createKeyRing('staffLink', [findSecret(values['secret-file'])]);
    const { minutes, name = 'staff' } = values;
    const { pass: created, link } = createStaffLinks(keys, systemClock).create({ events, minutes, name });
    print(`${values.url}${toLinkPath(events[0]!, link)}`);
    fail(`Pass ${created.id}, valid until ${new Date(created.expiresAt).toISOString()}. Works on one device.`);
    return 0;
  },
};

function findSecret(path: string | undefined): string {
  // Not readConfig: other settings may be missing here, they concern the instance.
  const { secrets, dataDir } = readGateConfig({});
  if (path === undefined && secrets.entryToken !== undefined) return secrets.entryToken;
  const file = path ?? join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    throw new OptionsError(
      `${file}: no such file; set QUEUE_ENTRY_TOKEN_SECRET, or give the secrets.json of the instance with --secret-file`,
    );
  }
  const content = readFileSync(file, 'utf8').trim();
  if (!content.startsWith('{')) return content;
  const { entryToken } = JSON.parse(content) as { entryToken?: unknown };
  if (typeof entryToken !== 'string') throw new OptionsError(`${file}: has no "entryToken"`);
  return entryToken;
}
