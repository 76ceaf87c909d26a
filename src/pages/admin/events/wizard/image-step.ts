/** The poster: an uploaded file, or the address of an image. */

import { type Desk, refusalText } from '../../controls/desk.ts';
import { el, fillWith } from '../../controls/dom.ts';
import { createField } from '../../controls/field.ts';
import { createEventFields } from '../event-fields.ts';
import { saveEvent } from '../event-form.ts';
import { type StepContext, stepForm } from './step.ts';

const TYPES = ['image/jpeg', 'image/png', 'image/webp'];
/** The limit of the endpoint. */
const MAX_BYTES = 5 * 1024 * 1024;

export function imageStep(context: StepContext): HTMLElement {
  const { desk, event, eventId } = context;
  const { texts } = desk;
  const parts = createEventFields(desk, event, ['imageUrl']);
  const input = el('input', { type: 'file', accept: TYPES.join(',') });
  const file = createField({ id: 'poster-file', label: texts.posterFile, about: texts.posterAbout, input });
  const figure = el('figure', { id: 'poster-preview', className: 'poster-preview', hidden: true });
  if (event?.imageUrl?.startsWith('/'))
    showPicture(el('img', { src: event.imageUrl, alt: texts.posterNow }), texts.posterNow);

  function showPicture(picture: HTMLElement, caption: string): void {
    figure.hidden = false;
    picture.addEventListener('error', () => {
      figure.hidden = true;
    });
    fillWith(figure, picture, el('figcaption', { className: 'soft', textContent: caption }));
  }

  function problemOfFile(chosen: File): string | undefined {
    if (!TYPES.includes(chosen.type)) return texts.posterType;
    return chosen.size > MAX_BYTES ? texts.posterTooLarge : undefined;
  }

  input.addEventListener('change', async () => {
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const problem = problemOfFile(chosen);
    const picture = problem === undefined ? await toPicture(chosen, texts.posterChosen) : undefined;
    file.setProblem(problem ?? (picture === undefined ? texts.posterType : undefined));
    if (picture !== undefined) showPicture(picture, texts.posterChosen);
  });

  async function save(): Promise<boolean> {
    const chosen = input.files?.[0];
    if (chosen !== undefined) return upload(chosen);
    const change = parts.read();
    if (change === undefined) return false;
    if (Object.keys(change).length === 0) return true;
    return (await saveEvent(desk, eventId, change, parts)) !== undefined;
  }

  async function upload(chosen: File): Promise<boolean> {
    const problem = problemOfFile(chosen) ?? (await send(desk, eventId, chosen));
    file.setProblem(problem);
    if (problem !== undefined) input.focus();
    return problem === undefined;
  }

  return stepForm({
    context,
    step: 'image',
    canSkip: true,
    children: [file.root, figure, ...labelled(parts.roots)],
    onSubmit: save,
  });

  function labelled(roots: HTMLElement[]): HTMLElement[] {
    const label = roots[0]?.querySelector('label');
    if (label) label.textContent = texts.imageInstead;
    return roots;
  }
}

/** Drawn on a canvas: the policy of the page allows neither data nor blob URLs for images. Undefined: not an image. */
async function toPicture(file: File, says: string): Promise<HTMLElement | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    const canvas = el('canvas', { width: bitmap.width, height: bitmap.height });
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', says);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return canvas;
  } catch {
    return undefined;
  }
}

/** Undefined: done. */
async function send(desk: Desk, eventId: string, file: File): Promise<string | undefined> {
  const answer = await desk.api.putFile(`/api/admin/events/${eventId}/poster`, file);
  return answer.ok ? undefined : refusalText(desk, answer);
}
