/** Every token and component once, as HTML: what `/design` shows. `mode` keeps ids apart where the page repeats them. */
const colours = ['ground', 'card', 'ink', 'soft', 'line', 'accent', 'warn', 'danger', 'good'] as const;
const tints = ['calm', 'warn-tint', 'danger-tint', 'good-tint'] as const;
const texts = ['xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl', 'hero'] as const;

export function toSpecimens(mode: string): string {
  return [
    section(
      'Colours',
      `<ul class="swatches">${[...colours, ...tints].map((name) => `<li class="swatch-${name}">${name}</li>`).join('')}</ul>`,
    ),
    section('Type', texts.map((name) => `<p class="text-${name}">${name} 가나다 Abc 123</p>`).join('')),
    section(
      'Radius and elevation',
      '<div class="row"><span class="sample sm">sm</span><span class="sample md">md</span><span class="sample lg">lg</span><span class="sample one">1</span><span class="sample two">2</span></div>',
    ),
    section(
      'Buttons',
      '<div class="row"><button type="button" class="main">Main</button><button type="button">Default</button><button type="button" class="danger">Danger</button>' +
        '<button type="button" class="plain">Plain</button><button type="button" class="small">Small</button><button type="button" disabled>Disabled</button><a class="button" href="#top">Link</a></div>',
    ),
    section(
      'Banners',
      '<div class="stack"><p class="banner">Sales open at 8:00 PM.</p><p class="banner warning">One minute left to pay.</p><p class="banner danger">The payment was refused.</p><p class="banner success">Your tickets are booked.</p></div>',
    ),
    section(
      'Badges',
      '<div class="row"><span class="badge">On sale</span><span class="badge neutral">Draft</span><span class="badge warning">Few left</span><span class="badge danger">Cancelled</span><span class="badge success">Paid</span></div>',
    ),
    section(
      'Fields',
      `<div class="stack"><div class="field"><label for="name-${mode}">Name</label><input id="name-${mode}" value="김하늘"><span class="hint">As on your ID.</span></div>` +
        `<div class="field"><label for="mail-${mode}">Email</label><input id="mail-${mode}" aria-invalid="true" aria-describedby="mail-problem-${mode}" value="nobody"><span class="problem" id="mail-problem-${mode}">Enter an email address.</span></div>` +
        `<div class="field"><label for="kind-${mode}">Ticket</label><select id="kind-${mode}"><option>Stalls</option></select></div></div>`,
    ),
    section(
      'Card, stat and poster',
      '<div class="card"><dl class="stat"><dt>People ahead</dt><dd>1,204</dd></dl></div>',
    ),
    section(
      'Table',
      '<div class="table-frame"><table><thead><tr><th scope="col">Section</th><th scope="col" class="number">Left</th></tr></thead><tbody><tr><td>Stalls</td><td class="number">120</td></tr><tr><td>Balcony</td><td class="number">48</td></tr></tbody></table></div>',
    ),
    section(
      'Tabs',
      '<nav class="tabs" aria-label="Tabs"><a href="#top" aria-current="page">Map</a><a href="#top">List</a></nav>',
    ),
    section(
      'Dialog and toast',
      `<dialog open aria-labelledby="dialog-${mode}"><h3 id="dialog-${mode}">Leave the line?</h3><p>You lose your place.</p><div class="row"><button type="button" class="danger">Leave</button><button type="button" class="main">Stay</button></div></dialog><p class="toast">Saved.</p>`,
    ),
    section(
      'Skeleton and empty state',
      '<div class="skeleton"></div><div class="empty"><p>No events yet.</p><button type="button" class="main">Create an event</button></div>',
    ),
  ].join('');
}

function section(title: string, html: string): string {
  return `<section class="specimen"><h2>${title}</h2>${html}</section>`;
}
