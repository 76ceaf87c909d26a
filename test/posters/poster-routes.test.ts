import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const createImage = (colour: string, format: 'png' | 'jpeg' | 'webp' = 'png') =>
  sharp({ create: { width: 900, height: 1200, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer();

async function createEvent({ operator }: TestApp, change: object = {}): Promise<void> {
  await operator('PUT', '/api/admin/events/concert', {
    body: { title: '봄밤 <Live>', artist: 'The Lanterns', startsAt: '2026-06-01T10:00:00Z', ...change },
  });
  const standing = [{ id: 'floor', name: 'Floor', quantity: 20, price: 30_000 }];
  await operator('PUT', '/api/admin/layouts/hall', { body: { name: 'Hall', sections: [], standing } });
  await operator('POST', '/api/admin/events/concert/seats', { body: { layoutId: 'hall' } });
  expect((await operator('POST', '/api/admin/events/concert/open')).statusCode).toBe(200);
}

const upload = ({ operator }: TestApp, body: Buffer, type = 'image/png') =>
  operator('PUT', '/api/admin/events/concert/poster', { body, headers: { 'content-type': type } });

describe('the poster of an event', () => {
  it('is generated without an upload: an SVG, and a PNG for previews of links', async () => {
    const test = await createTestApp();
    await createEvent(test);
    const card = await test.anyone('GET', '/posters/concert?size=card');
    expect(card.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' });
    expect(card.headers['cache-control']).toContain('max-age=60');
    expect(card.body).toContain('봄밤 &#60;Live&#62;');
    const preview = await test.anyone('GET', '/posters/concert?size=og');
    expect(preview.headers['content-type']).toBe('image/png');
    expect(await sharp(preview.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
  });

  it('is the uploaded image in each size, once there is one', async () => {
    const test = await createTestApp();
    await createEvent(test, { imageUrl: 'https://images.example/concert.jpg' });
    const stored = await upload(test, await createImage('#c02040'));
    expect(stored.statusCode).toBe(200);
    const { version, url } = stored.json();
    for (const [size, width, height, type] of [
      ['card', 480, 640, 'image/webp'],
      ['large', 960, 1280, 'image/webp'],
      ['og', 1200, 630, 'image/jpeg'],
    ] as const) {
      const answer = await test.anyone('GET', `/posters/concert?size=${size}`);
      expect(answer.headers['content-type']).toBe(type);
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width, height });
    }
    const versioned = await test.anyone('GET', url);
    expect(versioned.headers['cache-control']).toContain('immutable');
    const etag = versioned.headers.etag as string;
    expect((await test.anyone('GET', url, { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
    const again = (await upload(test, await createImage('#2040c0', 'webp'), 'image/webp')).json();
    expect(again.version).not.toBe(version);
    expect((await test.anyone('GET', '/posters/concert?size=large')).headers.etag).not.toBe(etag);
    // The old URL shows the new poster, but no cache keeps that for good.
    expect((await test.anyone('GET', url)).headers['cache-control']).not.toContain('immutable');
  });

  it('is the image that the event names, if nothing is uploaded', async () => {
    const test = await createTestApp();
    await createEvent(test, { imageUrl: 'https://images.example/concert.jpg' });
    const answer = await test.anyone('GET', '/posters/concert');
    expect(answer.statusCode).toBe(302);
    expect(answer.headers.location).toBe('https://images.example/concert.jpg');
    await upload(test, await createImage('#c02040'));
    expect((await test.anyone('GET', '/posters/concert')).statusCode).toBe(200);
    expect((await test.operator('DELETE', '/api/admin/events/concert/poster')).statusCode).toBe(204);
    expect((await test.anyone('GET', '/posters/concert')).statusCode).toBe(302);
  });

  it('of a draft is shown only to those who know its version', async () => {
    const test = await createTestApp();
    await test.operator('PUT', '/api/admin/events/concert', {
      body: { title: 'Concert', startsAt: '2026-06-01T10:00:00Z' },
    });
    const { url } = (await upload(test, await createImage('#c02040'))).json();
    expect((await test.anyone('GET', '/posters/concert')).statusCode).toBe(404);
    expect((await test.anyone('GET', url)).statusCode).toBe(200);
  });
});

describe('the upload of a poster', () => {
  it.each([
    ['a text that says it is a PNG', Buffer.from('<svg onload="alert(1)"/>')],
    ['a PNG that ends after its signature', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_name, body) => {
    const test = await createTestApp();
    await createEvent(test);
    const answer = await upload(test, body);
    expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'NO_IMAGE']);
  });

  it('refuses an image over 5 MB, and other types', async () => {
    const test = await createTestApp();
    await createEvent(test);
    const large = await upload(test, Buffer.alloc(5 * 1024 * 1024 + 1));
    expect([large.statusCode, large.json().error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect((await upload(test, Buffer.from('GIF89a'), 'image/gif')).statusCode).toBe(415);
  });

  it('refuses everyone but operators, and events that do not exist', async () => {
    const test = await createTestApp();
    const body = await createImage('#c02040');
    const headers = { 'content-type': 'image/png' };
    const refused = await test.anyone('PUT', '/api/admin/events/concert/poster', { body, headers });
    expect(refused.statusCode).toBe(401);
    expect((await upload(test, body)).json().error.code).toBe('SHOP_EVENT_NOT_FOUND');
  });

  it('removes what the camera wrote into the image', async () => {
    const test = await createTestApp();
    await createEvent(test);
    const withExif = await sharp(await createImage('#c02040', 'jpeg'))
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toBuffer();
    await upload(test, withExif, 'image/jpeg');
    const shown = await test.anyone('GET', '/posters/concert?size=large');
    expect((await sharp(shown.rawPayload).metadata()).exif).toBeUndefined();
  });
});
