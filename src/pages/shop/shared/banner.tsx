/** A message on the page. Problems are read out at once, the others when the reader is idle. */
import type { ComponentChildren } from 'preact';

export type Tone = 'info' | 'success' | 'warning' | 'danger';

export function Banner({ tone = 'info', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`banner ${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <div>{children}</div>
    </div>
  );
}
