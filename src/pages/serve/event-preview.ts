/** What other sites show of a link to an event: title, description and image, in the head of the page (OpenGraph). */
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { escapeHtml } from './plain-page.ts';
import { type StaticFile, toStaticFile } from './static-file.ts';

export interface EventPreview {
  title: string;
  artist: string;
  venue: string;
  description: string;
  /** Absolute URLs. */
  url: string;
  image: string;
}

const LONGEST_DESCRIPTION = 200;
const MOST_KEPT = 200;

/** Returns the page with the preview of an event in its head; the same file for the same preview. */
export function createPreviews(page: StaticFile, brand: string): (preview: EventPreview) => StaticFile {
  const html = page.body.toString('utf8');
  const kept = new RecentMap<StaticFile>(MOST_KEPT);
  return (preview) => {
    const head = toHead(preview, brand);
    const known = kept.get(head);
    if (known !== undefined) return known;
    const file = toStaticFile(
      'page.html',
      html.replace(/<title>[^<]*<\/title>/, () => head),
    );
    kept.set(head, file);
    return file;
  };
}

function toHead({ title, artist, venue, description, url, image }: EventPreview, brand: string): string {
  const facts = [artist, venue].filter((text) => text !== '').join(' · ');
  const about = shorten(description.replace(/\s+/g, ' ').trim() || facts || title);
  const properties = {
    'og:type': 'website',
    'og:site_name': brand,
    'og:title': title,
    'og:description': about,
    'og:url': url,
    'og:image': image,
    'og:image:width': '1200',
    'og:image:height': '630',
  };
  return [
    `<title>${escapeHtml(`${title} · ${brand}`)}</title>`,
    `<meta name="description" content="${escapeHtml(about)}">`,
    ...Object.entries(properties).map(([name, text]) => `<meta property="${name}" content="${escapeHtml(text)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    `<link rel="canonical" href="${escapeHtml(url)}">`,
  ].join('');
}

function shorten(text: string): string {
  const signs = [...text];
  return signs.length <= LONGEST_DESCRIPTION
    ? text
    : `${signs
        .slice(0, LONGEST_DESCRIPTION - 1)
        .join('')
        .trimEnd()}…`;
}
