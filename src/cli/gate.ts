/** `fairline gate`. Its options override settings. */
import { readGateConfig } from '../config/read-config.ts';
import { option, readOptions } from '../platform/settings/options.ts';
import { text } from '../platform/settings/settings.ts';
import type { Command } from './command.ts';
import { readGateSecrets } from './secret-file.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { readVersion } from './version.ts';

const anyText = (allowed: string, setting: string, about: string) =>
  text({ default: undefined, defaultText: `the setting ${setting}`, pattern: /^.+$/, allowed, about });

const options = {
  upstream: option('URL', anyText('an http or https URL', 'GATE_UPSTREAM', 'The site to protect.')),
  rules: option(
    'FILE',
    anyText('a JSON file (docs/reference/gate.md)', 'GATE_RULES_FILE', 'Which paths require which token.'),
  ),
  line: option('URL', anyText('an http or https URL', 'GATE_LINE_URL', 'The Fairline instance that serves the lines.')),
  sites: option(
    'FILE',
    anyText('a JSON file (docs/reference/gate.md)', 'GATE_SITES_FILE', 'Several sites, instead of --upstream.'),
  ),
  workers: option('N', anyText('a number; 0: one per core', 'GATE_WORKERS', 'Processes that share the port.')),
  port: option('N', anyText('a port', 'PORT', 'Port to listen on.')),
  'secret-file': option(
    'FILE',
    text({
      default: undefined,
      defaultText: 'the settings of the secrets',
      pattern: /^.+$/,
      allowed: 'a file',
      about: 'The secrets.json in DATA_DIR of the line. Secrets in settings win.',
    }),
  ),
};

export const gate: Command = {
  summary: 'run a reverse proxy in front of a site that admits only visitors who have waited',
  usage: ['gate --upstream URL [options]', 'gate --sites FILE [options]'],
  about: `Runs a reverse proxy in front of a site. Requests without the required token are redirected to the waiting
room (docs/reference/gate.md). Options override the settings of the same meaning.`,
  options,
  examples: [
    'fairline gate --upstream http://127.0.0.1:8081 --line http://127.0.0.1:3000 --secret-file data/secrets.json --port 8000',
  ],
  async run(args, { print }) {
    const { values } = readOptions(options, args);
    const flags = {
      GATE_UPSTREAM: values.upstream,
      GATE_RULES_FILE: values.rules,
      GATE_LINE_URL: values.line,
      GATE_SITES_FILE: values.sites,
      GATE_WORKERS: values.workers,
      PORT: values.port,
    };
    const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
    const { startGateProcesses } = await import('../compose/gate-process.ts');
    const version = readVersion();
    const kept = values['secret-file'] === undefined ? {} : readGateSecrets(values['secret-file']);
    const running = await startGateProcesses(readGateConfig(given, undefined, kept), version);
    if (running === undefined) return undefined;
    stopOnSignal(running);
    print(`Fairline ${version} gate listens on ${running.url}`);
    return undefined;
  },
};
