/** Theme files: validation, effect on the pages, and contrast warnings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toFooter } from '../../src/pages/design/footer.ts';
import { defaultTheme, findFaintColours, readTheme, toStyle } from '../../src/pages/design/theme.ts';
import { catalogues } from '../../src/pages/texts/catalogues.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestApp } from '../support/test-app.ts';

const problemsOf = (json: unknown) => {
  const read = readTheme(json);
  return read.outcome === 'invalid' ? read.problems : [];
};

describe('a theme', () => {
  it('has enough contrast by default', () => {
    expect(findFaintColours(defaultTheme)).toEqual([]);
  });

  it('reports every wrong field and what is expected', () => {
    expect(
      problemsOf({
        nam: 'x',
        name: { fr: 'Théâtre' },
        logo: 'http://evil.example/',
        colours: { light: { accent: 'red', shade: '#000000' }, sepia: {} },
        texts: { en: { 'waiting.nothing': 'x', 'waiting.title': '' } },
      }),
    ).toEqual([
      'nam is not a known field',
      'logo must be an https URL or a path of this site',
      'colours.light.accent must be a hex colour such as #2447c5',
      'colours.light.shade is not a known colour; expected one of ground, card, ink, soft, line, accent, warn, danger, good',
      'colours.sepia is not a known field; expected light or dark',
      'texts.en.waiting.nothing is not a known text',
      'texts.en.waiting.title must be text of 1 to 500 characters',
      'name.fr: unknown language; expected ko, en, ja, zh-Hans',
    ]);
    expect(problemsOf([])).toEqual(['the file must be an object']);
  });

  it('reads the organiser, and names each field of it that is wrong', () => {
    const organiser = {
      name: { ko: '우리 극장', en: 'Our theatre' },
      email: 'help@theatre.example',
      phone: '+82 2 1234 5678',
      terms: '/terms',
      refunds: 'https://theatre.example/refunds?lang=en',
    };
    const read = readTheme({ organiser });
    expect(read.outcome === 'read' && read.theme.organiser).toEqual({
      ...organiser,
      terms: { ko: '/terms', en: '/terms' },
      refunds: { ko: organiser.refunds, en: organiser.refunds },
    });
    expect(
      problemsOf({
        organiser: { name: { ko: '' }, email: 'x', phone: 'call us', terms: 'javascript:alert(1)', fax: '1' },
      }),
    ).toEqual([
      'organiser.name.ko must be text of 1 to 120 characters',
      'organiser.name.en must be text of 1 to 120 characters',
      'organiser.email must be an email address',
      'organiser.phone must be a phone number such as +82 2 1234 5678',
      'organiser.terms must be an https URL or a path of this site',
      'organiser.fax is not a known field; expected name, email, phone, contact, terms, refunds, privacy',
    ]);
    expect(problemsOf({ organiser: 'us' })).toEqual(['organiser must be an object']);
  });

  it('shows in the footer who organises, and says so if there is no contact', () => {
    const english = catalogues.en.frame;
    const texts = (organiser: object, refundUntilHours?: number) =>
      toFooter({ organiser, refundUntilHours }, 'en', english).map(({ text }) => text);
    expect(texts({}, 24)).toEqual([
      'The organiser has not published contact details.',
      'You can cancel for a refund up to 24 hours before the event.',
    ]);
    expect(texts({ email: 'help@theatre.example', refunds: { ko: '/r', en: '/r' } }, 24)).toEqual([
      'help@theatre.example',
      'Refund policy',
    ]);
  });

  it('reports colours with too little contrast', () => {
    const read = readTheme({ colours: { light: { soft: '#c0c0c0' } } });
    const faint = read.outcome === 'read' ? findFaintColours(read.theme) : [];
    expect(faint).toEqual([
      expect.stringMatching(/^light: soft on ground .* 1\.\d$/),
      expect.stringMatching(/^light: soft on card/),
    ]);
  });

  it('uses dark text on a light accent and light text on a dark one', () => {
    const read = readTheme({ colours: { light: { accent: '#ffe000' } } });
    expect(read.outcome === 'read' && toStyle(read.theme)).toContain('--on-accent:#101216');
    expect(toStyle(defaultTheme)).toContain('--on-accent:#ffffff');
  });

  it('changes the pages without a rebuild, and only what it names', async () => {
    const file = join(tempFolder(), 'theme.json');
    writeFileSync(
      file,
      JSON.stringify({
        name: { en: 'Our </script> theatre' },
        logo: 'https://cdn.example/logo.svg',
        colours: { dark: { accent: '#ff9cc2' } },
        texts: { en: { 'waiting.joinAgain': 'Once more' } },
      }),
    );
    const { anyone, context } = await createTestApp({ THEME_FILE: file });
    await context.line.rooms.putRoom('concert', {});
    for (const path of ['/queue/concert', '/vwr/concert']) {
      const { body, headers } = await anyone('GET', path);
      expect(body).toContain('--accent:#ff9cc2');
      expect(body).not.toContain('</script> theatre');
      expect(headers['content-security-policy']).toContain("img-src 'self' data: https://cdn.example;");
    }
    const plain = await anyone('GET', '/queue/concert?plain=1&left=1', { headers: { 'accept-language': 'en' } });
    expect(plain.body).toContain('alt="Our &#60;/script&#62; theatre"');
    expect(plain.body).toContain('Once more');
    const other = await anyone('GET', '/queue/concert?plain=1&left=1', {
      headers: { 'accept-language': 'en', cookie: 'fairline-language=ko' },
    });
    expect(other.body).toContain('다시 대기하기');
  });

  it('stops the start if the file is invalid', async () => {
    const file = join(tempFolder(), 'theme.json');
    writeFileSync(file, '{"colors": {}}');
    await expect(createTestApp({ THEME_FILE: file })).rejects.toThrow(
      `THEME_FILE=${file}: colors is not a known field`,
    );
  });
});
