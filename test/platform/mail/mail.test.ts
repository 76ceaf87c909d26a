/** Mail against a real SMTP server. */
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileMail } from '../../../src/platform/mail/file-mail.ts';
import type { SendMail } from '../../../src/platform/mail/mail.ts';
import { type MailOutcome, MailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createSmtpMail } from '../../../src/platform/mail/smtp-mail.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

interface Received {
  from: string;
  to: string[];
  text: string;
}

const log = pino({ level: 'silent' });
const from = 'Tickets <tickets@example.org>';
const mail = { to: 'ann@example.org', subject: '비밀번호 재설정', text: 'https://tickets.example/reset-password#s\n' };

/** `refuse`: the status for each recipient; undefined accepts it. */
async function startSmtp(refuse: () => number | undefined = () => undefined) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo(_address, _session, done) {
      const status = refuse();
      if (status === undefined) done();
      else done(Object.assign(new Error('refused'), { responseCode: status }));
    },
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk));
      stream.on('end', () => {
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from: sender, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  return { received, url: `smtp://127.0.0.1:${port}`, port };
}

function createQueue(send: SendMail, options: { most?: number; retryMs?: number[] } = {}) {
  const outcomes: MailOutcome[] = [];
  const queue = new MailQueue({ send, onOutcome: (outcome) => outcomes.push(outcome), log, ...options });
  onTestFinished(() => queue.stop(0));
  return { queue, outcomes };
}

describe('mail over SMTP', () => {
  it('reaches the server with sender, recipient, subject and text', async () => {
    const { received, url } = await startSmtp();
    await createSmtpMail({ url, from })(mail);
    expect(received).toMatchObject([{ from: 'tickets@example.org', to: ['ann@example.org'] }]);
    const words = [...received[0]!.text.matchAll(/=\?UTF-8\?Q\?(.*?)\?=/g)].map(([, word]) => word).join('');
    expect(decodeURIComponent(words.replaceAll('=', '%')).replaceAll('_', ' ')).toBe(mail.subject);
    expect(received[0]!.text).toContain('Auto-Submitted: auto-generated');
    expect(received[0]!.text).toContain('reset-password#s');
  });

  it('goes to one recipient, whatever signs the address contains', async () => {
    for (const to of ['victim,ann@example.org', 'a<b>@example.org', 'x;y@example.org']) {
      const { received, url } = await startSmtp();
      await createSmtpMail({ url, from })({ ...mail, to }).catch(() => {});
      for (const { to: recipients } of received) expect(recipients).toHaveLength(1);
      for (const { to: recipients } of received) expect(recipients[0]).toMatch(/@example\.org$/);
    }
  });

  it('does not send a password in the clear to another machine', async () => {
    const { port, received } = await startSmtp();
    // A name of this machine that the rule does not know as such.
    const send = createSmtpMail({ url: `smtp://user:secret@0.0.0.0:${port}`, from });
    await expect(send(mail)).rejects.toThrow();
    expect(received).toEqual([]);
  });
});

describe('the mail queue', () => {
  it('tries again when the server is busy, and gives up when it refuses the mail', async () => {
    const statuses = [451, 451, undefined, 550];
    const { received, url } = await startSmtp(() => statuses.shift());
    const { queue, outcomes } = createQueue(createSmtpMail({ url, from }), { retryMs: [1, 1, 1] });
    queue.add(async () => mail);
    await until('the mail', () => received.length === 1);
    await until('its outcome', () => outcomes.length === 1);
    queue.add(async () => mail);
    await until('the refusal', () => outcomes.length === 2);
    expect(outcomes).toEqual(['sent', 'failed']);
  });

  it('gives up after its tries if there is no server', async () => {
    const { port } = await startSmtp();
    const probe = connect(port, '127.0.0.1');
    await new Promise((resolve) => probe.once('connect', resolve));
    probe.destroy();
    const { queue, outcomes } = createQueue(createSmtpMail({ url: 'smtp://127.0.0.1:1', from }), { retryMs: [1, 1] });
    queue.add(async () => mail);
    await until('the outcome', () => outcomes.length === 1);
    expect(outcomes).toEqual(['failed']);
  });

  it('returns at once, before the mail is prepared', () => {
    const { queue } = createQueue(async () => {});
    let isPrepared = false;
    queue.add(async () => {
      isPrepared = true;
      return undefined;
    });
    expect(isPrepared).toBe(false);
  });

  it('is bounded, counting mails that wait for another try', async () => {
    const { queue, outcomes } = createQueue(
      async () => {
        throw new Error('down');
      },
      { most: 3, retryMs: [3_600_000] },
    );
    for (let i = 0; i < 3; i += 1) queue.add(async () => mail);
    await queue.settled();
    queue.add(async () => mail);
    expect(outcomes).toEqual(['dropped']);
  });

  it('survives a preparation that fails, and sends the others', async () => {
    const { received, url } = await startSmtp();
    const { queue, outcomes } = createQueue(createSmtpMail({ url, from }));
    queue.add(() => Promise.reject(new Error('no database')));
    queue.add(async () => undefined);
    queue.add(async () => mail);
    await queue.settled();
    expect([outcomes.sort(), received.length]).toEqual([['failed', 'sent'], 1]);
  });
});

describe('mail in files', () => {
  it('is a message that mail programs open; only the latest are kept, and the log has no link', async () => {
    const dir = tempFolder();
    const lines: string[] = [];
    const told = pino({}, { write: (line: string) => lines.push(line) });
    const send = createFileMail({ dir, from, log: told, kept: 2 });
    for (const to of ['a@example.org', 'b@example.org', 'c@example.org']) await send({ ...mail, to });
    const texts = readdirSync(dir).map((name) => readFileSync(`${dir}/${name}`, 'utf8'));
    expect(texts.map((text) => /^To: (.*)$/m.exec(text)?.[1])).toEqual(['b@example.org', 'c@example.org']);
    expect([lines.length, lines.join('').includes('#s')]).toEqual([3, false]);
  });
});
