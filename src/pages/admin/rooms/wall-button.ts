/** Shows the overview on the whole screen, without navigation. */
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';

export function wallButton({ texts }: Desk): { root: HTMLElement; close(): void } {
  const page = document.documentElement;
  const root = el('button', { id: 'wall', type: 'button', onclick: () => void toggle() });

  function show(isWall: boolean): void {
    if (isWall) page.dataset.wall = '';
    else delete page.dataset.wall;
    setText(root, isWall ? texts.leaveFullScreen : texts.fullScreen);
    root.setAttribute('aria-pressed', String(isWall));
  }

  async function toggle(): Promise<void> {
    const isWall = page.dataset.wall === undefined;
    show(isWall);
    window.scrollTo(0, 0);
    // Some phones have no full screen for pages: the large layout remains.
    if (isWall) await page.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement !== null) await document.exitFullscreen();
  }

  const onChange = () => {
    if (document.fullscreenElement === null) show(false);
  };
  document.addEventListener('fullscreenchange', onChange);
  show(false);
  return {
    root,
    close() {
      document.removeEventListener('fullscreenchange', onChange);
      show(false);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    },
  };
}
