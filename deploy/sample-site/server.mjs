/**
 * A small shop that knows nothing about waiting, as the site of the guides: a home page, a page for each seat of an event
 * with a form, and the answer to the form. Everything else is 404. Usage: node deploy/sample-site/server.mjs [port]
 */
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 8081);
const SEAT = /^\/shop\/([\w-]+)\/seats\/(\d+)$/;

createServer((request, response) => {
  const { pathname, search } = new URL(request.url, 'http://site');
  // Who passed the gate; see "What your site must do" in docs/reference/gate.md.
  const visitor = request.headers['x-fairline-visitor'] || 'nobody';
  const seat = SEAT.exec(pathname);
  if (request.method === 'GET' && pathname === '/') return send(response, 'The home page', '');
  if (request.method === 'GET' && seat !== null)
    return send(response, `Seat ${seat[2]} of ${seat[1]}`, form(seat[1], search, visitor));
  if (request.method === 'POST' && /^\/shop\/[\w-]+\/orders$/.test(pathname)) return send(response, 'Order taken', '');
  return send(response, 'Not found', '', 404);
}).listen(port, '127.0.0.1');

function form(eventId, search, visitor) {
  return `<p id="query">${escapeHtml(search)}</p><p id="visitor">${escapeHtml(visitor)}</p>
<form method="post" action="/shop/${eventId}/orders"><input name="name" value="Mina"><button>Order</button></form>`;
}

function send(response, title, body, status = 200) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>\n`);
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
