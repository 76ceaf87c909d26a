/** `fairline gate`: its options are other names for settings. */
import { readGateConfig } from '../config/read-config.ts';
import { option, readOptions } from '../platform/settings/options.ts';
import { text } from '../platform/settings/settings.ts';
import type { Command } from './command.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { readVersion } from './version.ts';

const any = (allowed: string, setting: string, about: string) =>
  text({ default: undefined, defaultText: `the setting ${setting}`, pattern: /^.+$/, allowed, about });

const options = {
  upstream: option('URL', any('an http or https address', 'GATE_UPSTREAM', 'The site to stand before.')),
  rules: option(
    'FILE',
    any('a file of rules (docs/reference/gate.md)', 'GATE_RULES_FILE', 'Which paths need which token.'),
  ),
  line: option(
    'URL',
    any('an http or https address', 'GATE_LINE_URL', 'The instance of Fairline that holds the lines.'),
  ),
  port: option('N', any('a port', 'PORT', 'Where to listen.')),
};

export const gate: Command = {
  summary: 'stand before a site and let in only who has waited',
  usage: ['gate --upstream URL [options]'],
  about: `A reverse proxy before any site: requests that need a token and bring none are sent to the waiting room
(docs/reference/gate.md). Options win over the settings that they stand for.`,
  options,
  examples: ['fairline gate --upstream http://127.0.0.1:8080 --line http://127.0.0.1:3000 --port 8000'],
  async run(args, { print }) {
    const { values } = readOptions(options, args);
    const flags = {
      GATE_UPSTREAM: values.upstream,
      GATE_RULES_FILE: values.rules,
      GATE_LINE_URL: values.line,
      PORT: values.port,
    };
    const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
    const { startGate } = await import('../compose/gate-process.ts');
    const version = readVersion();
    const running = await startGate(readGateConfig(given), version);
    print(`Fairline ${version}, the gate, listens on ${running.url}`);
    stopOnSignal(running);
    return undefined;
  },
};
