/** One room: how it stands and has stood, and everything an operator can do about it. */
import { auditPanel } from './audit-view.ts';
import type { Desk, View } from './desk.ts';
import { el } from './dom.ts';
import type { Panel } from './panel.ts';
import { chartsPanel } from './room-charts.ts';
import { controlsPanel } from './room-controls.ts';
import { drawPanel } from './room-draw.ts';
import { messagePanel } from './room-message.ts';
import { salesPanel } from './room-sales.ts';
import { settingsPanel } from './room-settings.ts';
import { standingPanel } from './room-standing.ts';
import { tier1Panel } from './room-tier1.ts';

export function roomView(desk: Desk, eventId: string): View {
  const { texts, facts } = desk;
  const audit = auditPanel(desk, eventId);
  const panels: Panel[] = [
    standingPanel(desk, eventId),
    controlsPanel(desk, eventId),
    chartsPanel(desk),
    messagePanel(desk, eventId),
    tier1Panel(desk, eventId),
    drawPanel(desk, eventId),
    ...(facts.hasShop ? [salesPanel(desk, eventId)] : []),
    settingsPanel(desk, eventId),
    audit,
  ];
  const absent = el('p', { className: 'note', textContent: texts.nothingHere, hidden: true });
  const body = el('div', { className: 'panels', hidden: true }, ...panels.map(({ root }) => root));
  return {
    title: eventId,
    historyOf: eventId,
    root: el('div', { className: 'view' }, absent, body),
    update(overview) {
      const room = overview.rooms.find((one) => one.eventId === eventId);
      absent.hidden = room !== undefined;
      body.hidden = room === undefined;
      if (room !== undefined) for (const panel of panels) panel.update?.(room, overview);
    },
    close() {
      for (const panel of panels) panel.close?.();
    },
  };
}
